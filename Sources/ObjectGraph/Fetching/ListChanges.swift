/// What changed in a list, as a table view wants it: `deletions`, `updates` and the origins of moves
/// are indexes in the old list, `insertions` and the targets of moves in the new one; all ascending
/// but the moves' origins. Sections, too, go by their old place where they are deleted, and by their
/// new one where they are inserted.
///
/// Replaying: take out the deletions and the moves' origins, highest first, then the sections that
/// are deleted, which are empty now; put in the new sections, then the insertions and the moves'
/// targets, lowest first. (`FetchedResultsController.path(at:)` turns an index into section and item.)
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

  /// How many changes; a move counts once.
  public var count: Int {
    sectionDeletions.count + sectionInsertions.count + deletions.count + insertions.count
      + moves.count + updates.count
  }
}

/// A place in a list of sections.
public struct ListPath: Hashable, Comparable, Sendable {
  public let section: Int
  /// The place within the section.
  public let item: Int

  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (a: ListPath, b: ListPath) -> Bool {
    a.section == b.section ? a.item < b.item : a.section < b.section
  }
}

/// What happened to one object of a list. Old places are those before the event, new places those
/// after it.
public enum ListObjectChange: Sendable, Hashable {
  case insert(new: ListPath)
  case delete(old: ListPath)
  /// A value that the order or the section depends on changed; that others may have is implied.
  case move(old: ListPath, new: ListPath)
  case update(old: ListPath)
}

/// What happened to a section: it got its first object or lost its last.
public enum ListSectionChange: Sendable, Hashable {
  case insert(new: Int)
  case delete(old: Int)
}

/// Told what changes in a list, as Core Data's `NSFetchedResultsControllerDelegate` is: for each
/// event once that it will change, then its sections, then its objects, then that it did change.
///
/// Called on the context's queue. The list shows the old state in `listWillChange` and the new one in
/// all others. Replayed as `ListChanges` says, an event's changes turn the old list into the new one.
public protocol FetchedResultsDelegate: AnyObject {
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
