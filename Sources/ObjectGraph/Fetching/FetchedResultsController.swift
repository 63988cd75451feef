import Queues

/// Keeps the result of a fetch up to date with its context, and reports the changes.
///
/// It observes its context's objects-did-change: everything inserted, edited, deleted or merged
/// there, saved or not. Use it on the context's queue. After a reset of the context it keeps its
/// list and reports nothing, until `performFetch` is called again. The request's limit applies to
/// the fetch, not to later insertions.
///
/// It retains the objects of its list, so they stay registered, and the row that each was sorted
/// by. Finding a position compares these rows, even if the row cache already has a newer save, and
/// fires no faults. (Core Data does not document what its controller compares.) Equal objects are
/// in order of ID. A permanent ID may change that order, at the save or with the next change.
public final class FetchedResultsController {
  public let context: ManagedObjectContext
  public let request: FetchRequest
  /// Notified of each change of the list during the event that caused it. Not notified by
  /// `performFetch`.
  public weak var delegate: (any FetchedResultsDelegate)?
  /// Called after the delegate, with all changes of the event.
  public var onChange: ((ListChanges) -> Void)?

  let layout: ListLayout
  var entries: [ListEntry] = []
  var members: Set<ObjectIdentifier> = []
  /// Nil without a section key.
  var listSections: ListSections?
  /// Whether an entry is sorted by a temporary ID.
  var holdsNewObjects = false
  /// False before the first fetch and after a reset.
  var isObserving = false
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

  /// Fetches the list again and observes the context.
  ///
  /// - Throws: `SectionsOutOfOrder`, or the errors of the fetch. The list is then unchanged.
  public func performFetch() throws {
    var request = request
    if layout.makesRows { request.returnsObjectsAsFaults = false }
    let objects = try context.fetch(request)
    let rows = try context.rows(of: objects)
    var fetched = zip(objects, rows).compactMap { object, row in
      row.map { layout.entry(object, $0) }
    }
    // A save may come between the fetch and reading the cached rows.
    if !fetched.isSorted(by: layout.requested) {
      fetched.sort { $0.precedes($1, by: layout.requested) }
    }
    try layout.checkSections(of: fetched)
    entries = fetched
    listSections = layout.section.map { ListSections(of: fetched, by: $0) }
    members = Set(entries.map { ObjectIdentifier($0.object) })
    holdsNewObjects = entries.contains(where: \.isSortedByTemporaryID)
    isObserving = true
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

  /// Without a section key there is one, without a name.
  public var sections: [ListSection] {
    guard let listSections else { return [section(0, of: nil)] }
    return listSections.keys.indices.map { section($0, of: listSections) }
  }

  /// The path of an index in the whole list.
  public func path(at index: Int) -> ListPath { Self.path(at: index, in: listSections) }

  /// The path of an object; nil if it is not in the list. Its time grows with the list.
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
