import Queues

/// Keeps the result of a fetch up to date with its context, and says what changed in it.
///
/// Listens to its context's objects-did-change: to everything that is inserted, edited, deleted or
/// merged there, persisted or not. Used on the context's queue. After a reset of the context it says
/// nothing and keeps what it had, until `performFetch` is called again. The request's limit holds for
/// the fetch, not for what enters afterwards.
///
/// It holds the objects of its list, so they stay registered; and for each the row that it was
/// sorted by. A list is therefore always in the order of what it knows, even while the row cache
/// is already a save ahead, and finding a place compares rows in hand instead of firing faults.
/// (Core Data does not document what its controller compares.) Objects that the sort leaves equal
/// are in the order of their IDs; where a permanent ID puts one elsewhere than its temporary one
/// did, that is a move, told after the save or with the next change.
public final class FetchedResultsController {
  public let context: ManagedObjectContext
  public let request: FetchRequest
  /// Told of each change of the list, in the context's event that caused it; not by `performFetch`.
  public weak var delegate: (any FetchedResultsDelegate)?
  /// Called after the delegate, with the whole change.
  public var onChange: ((ListChanges) -> Void)?

  let layout: ListLayout
  var entries: [ListEntry] = []
  var members: Set<ObjectIdentifier> = []
  /// Nil without a section key.
  var listSections: ListSections?
  /// Whether some entry was placed by a temporary ID.
  var holdsNewObjects = false
  /// Not before the first fetch, and not after a reset.
  var isFollowing = false
  private var observations: [Observation] = []

  public init(
    _ request: FetchRequest, in context: ManagedObjectContext, sections: SectionKey? = nil
  ) {
    self.request = request
    self.context = context
    layout = ListLayout(request, by: sections)
  }

  deinit {
    for observation in observations { context.stopObserving(observation) }
  }

  /// Fetches the list anew and starts listening.
  ///
  /// - Throws: `SectionsOutOfOrder`; what the fetch throws. The list is as it was then.
  public func performFetch() throws {
    var request = request
    if layout.makesRows { request.returnsObjectsAsFaults = false }
    let objects = try context.fetch(request)
    let rows = try context.rows(of: objects)
    var fetched = zip(objects, rows).compactMap { object, row in
      row.map { layout.entry(object, $0) }
    }
    // A save may have come between the fetch and reading the rows it left in the cache.
    if !fetched.isOrdered(by: layout.requested) {
      fetched.sort { $0.precedes($1, by: layout.requested) }
    }
    try layout.checkSections(of: fetched)
    entries = fetched
    listSections = layout.section.map { ListSections(of: fetched, by: $0) }
    members = Set(entries.map { ObjectIdentifier($0.object) })
    holdsNewObjects = entries.contains(where: \.isPlacedByTemporaryID)
    isFollowing = true
    if observations.isEmpty { observe() }
  }

  private func observe() {
    observations = [
      context.observeObjectsDidChange { [unowned self] in contextDidChange($0) },
      context.observeDidSave { [unowned self] _ in contextDidSave() },
    ]
  }
}

// MARK: - Reading the list

extension FetchedResultsController {
  public var count: Int { entries.count }

  public subscript(index: Int) -> ManagedObject { entries[index].object }

  public subscript(path: ListPath) -> ManagedObject {
    entries[listSections?.index(of: path) ?? path.item].object
  }

  public var fetchedObjects: [ManagedObject] { entries.map(\.object) }

  /// All sections; the only one, without a name, if there is no section key.
  public var sections: [ListSection] {
    guard let listSections else { return [section(0, of: nil)] }
    return listSections.keys.indices.map { section($0, of: listSections) }
  }

  /// Where the object at this index of the whole list is.
  public func path(at index: Int) -> ListPath { Self.path(at: index, in: listSections) }

  /// Where an object is; nil if it is not in the list. Takes time that grows with the list.
  public func path(of object: ManagedObject) -> ListPath? {
    guard isMember(object) else { return nil }
    return entries.firstIndex { $0.object === object }.map(path(at:))
  }

  static func path(at index: Int, in sections: ListSections?) -> ListPath {
    sections?.path(at: index) ?? ListPath(section: 0, item: index)
  }

  func section(_ index: Int, of sections: ListSections?) -> ListSection {
    guard let sections, let key = layout.key else {
      return ListSection(key: .null, name: "", range: entries.indices)
    }
    return sections.section(index, named: key.name)
  }
}

extension ManagedObjectContext {
  /// The current rows of these objects, without realising any.
  fileprivate func rows(of objects: [ManagedObject]) throws -> [ContiguousArray<Value>?] {
    let faults = objects.filter(\.isFault)
    var fromBelow = try snapshotsFromParent(of: faults.map(\.objectID))[...]
    return objects.map { object in
      object.isFault ? (fromBelow.popFirst() ?? nil)?.values : object.values
    }
  }
}
