/// The changes of a list, as a table view expects them. Deletions, updates and the origins of moves
/// have indexes in the old list, the others in the new one. All but the origins of moves are
/// ascending.
///
/// To replay them, remove deletions and origins of moves, highest first. Remove the deleted
/// sections, now empty, and add the new ones. Then insert insertions and targets of moves, lowest
/// first.
public struct ListChanges: Sendable, Equatable {
  public struct Move: Sendable, Equatable {
    public let from: Int
    public let to: Int
  }

  public internal(set) var sectionDeletions: [Int] = []
  public internal(set) var sectionInsertions: [Int] = []
  public internal(set) var deletions: [Int] = []
  public internal(set) var insertions: [Int] = []
  public internal(set) var moves: [Move] = []
  public internal(set) var updates: [Int] = []

  /// A move counts once.
  public var count: Int {
    sectionDeletions.count + sectionInsertions.count + deletions.count + insertions.count
      + moves.count + updates.count
  }
}

/// A position in a list of sections.
///
/// Example: `Snippets/list-with-sections.swift`.
public struct ListPath: Hashable, Comparable, Sendable {
  public let section: Int
  /// The index within the section.
  public let item: Int

  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (a: ListPath, b: ListPath) -> Bool {
    a.section == b.section ? a.item < b.item : a.section < b.section
  }
}

/// The change of one object. Old paths are of the list before the event.
public enum ListObjectChange: Sendable, Hashable {
  case insert(new: ListPath)
  case delete(old: ListPath)
  /// The position changed, and perhaps other values too.
  case move(old: ListPath, new: ListPath)
  case update(old: ListPath)
}

/// A section got its first object or lost its last one.
public enum ListSectionChange: Sendable, Hashable {
  case insert(new: Int)
  case delete(old: Int)
}

/// Observes a list, like Core Data's `NSFetchedResultsControllerDelegate`. Each event calls
/// `listWillChange`, then the methods for its sections and its objects, then `listDidChange`.
///
/// Called on the context's queue, which no actor isolates: its methods are `nonisolated`. The list
/// changes after `listWillChange`. The changes can be replayed like `ListChanges`.
public protocol FetchedResultsDelegate: AnyObject, SendableMetatype {
  func listWillChange(_ list: FetchedResultsController)
  func list(_ list: FetchedResultsController, section: ListSection, did change: ListSectionChange)
  func list(_ list: FetchedResultsController, object: ManagedObject, did change: ListObjectChange)
  func listDidChange(_ list: FetchedResultsController)
}

extension FetchedResultsDelegate {
  public func listWillChange(_ list: FetchedResultsController) {}
  public func list(
    _ list: FetchedResultsController, section: ListSection, did change: ListSectionChange
  ) {}
  public func list(
    _ list: FetchedResultsController, object: ManagedObject, did change: ListObjectChange
  ) {}
  public func listDidChange(_ list: FetchedResultsController) {}
}
