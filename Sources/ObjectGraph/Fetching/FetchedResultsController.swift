import Queues

/// Keeps the result of a fetch up to date with its context, and reports the changes.
///
/// It observes everything that is inserted, edited, deleted or merged in the context, saved or not.
/// Use it on the context's queue, and release it there. After a reset of the context it reports
/// nothing until `performFetch`. The request's limit applies to the fetch only: later, any matching
/// object enters.
///
/// It retains its objects, and the row that each was sorted by. It finds positions by these rows
/// without firing faults, even if the row cache has newer rows. (Core Data does not document what
/// its controller compares.) Objects that sort equally are in order of ID, which may change when an
/// ID becomes permanent.
///
/// With a batch size it fetches IDs, and a batch of rows when an object of it is accessed or
/// changes. Sections by the first sort term's attribute are counted by the store. Computed sections
/// read every object, in batches
/// (cimgf.com/2013/01/03/nsfetchedresultscontroller-sectionnamekeypath-discussion). So do other
/// sections, and orders by related objects or folded text, which Core Data does not document. All
/// rows are read at once on a child context, without an order, and if unsaved changes of the entity
/// may change the order.
///
/// Core Data does not document how changes reach unread rows. Here a merge passes over their
/// updates, as it does over faults, and removes deleted ones. The place of a changed object is
/// searched among rows, which reads O(log n) batches. An object whose row was changed elsewhere
/// since the fetch stays at its place when it is read, and moves with the context's next event.
///
/// Example: `Snippets/list-with-sections.swift`.
public final class FetchedResultsController {
  public let context: ManagedObjectContext
  /// Set another one and call `performFetch`; the list stays as it is until then. The predicate
  /// names permanent IDs as soon as the objects have them.
  public var request: FetchRequest
  /// Notified during the event that changed the list, but not by `performFetch`.
  public weak var delegate: (any FetchedResultsDelegate)?
  /// Called after the delegate with all changes of an event, in the order of events.
  public var onChange: (@Sendable (ListChanges) -> Void)?
  /// Called after `onChange` with the same changes by ID, and when IDs become permanent.
  public var onIDChange: (@Sendable (ListIDChanges) -> Void)? {
    didSet { toldIDs = onIDChange == nil ? [] : fetchedObjectIDs }
  }

  /// The request of the last fetch.
  private(set) var listed: FetchRequest
  private(set) var layout: ListLayout
  private(set) var entries: SortedEntries
  private(set) var listSections: ListSections?
  /// Listed objects whose places depend on temporary IDs: their own, or those of related objects.
  var temporarilyPlaced: Set<ManagedObject> = []
  /// Changes that `onChange` has yet to report.
  var untold: [(changes: ListChanges, byID: ListIDChanges?)] = []
  /// The list as `onIDChange` knows it.
  var toldIDs: [ManagedObjectID] = []
  /// How many IDs were permanent when the list last adopted them.
  private var idsAdopted = 0
  /// Whether IDs became permanent since the entries last adopted them.
  var hasNewIDs = false
  var isObserving = false
  /// Unread objects that a merge deletes.
  var heldForMerge: [ManagedObject] = []
  private var observations: [Observation] = []

  public init(
    _ request: FetchRequest, in context: ManagedObjectContext, sections: SectionKey? = nil
  ) {
    self.request = request
    listed = request
    self.context = context
    layout = ListLayout(request, by: sections)
    entries = SortedEntries([], by: layout.terms)
    listSections = layout.section.map { [entries] in ListSections(of: entries, by: $0) }
  }

  deinit {
    for observation in observations { context.removeObserver(observation) }
  }

  /// - Throws: `SectionsReversed`, `SectionsOutOfOrder`, or the errors of the fetch. The list is
  ///   then unchanged.
  public func performFetch() throws {
    let layout = ListLayout(request, by: layout.key)
    try layout.checkDirection(in: request)
    var realising = request
    if layout.makesRows { realising.returnsObjectsAsFaults = false }
    let batches = try context.batches(of: realising)
    if let batches, let counts = try context.sectionCounts(of: batches, layout) {
      let unread = UnreadRows(batches, layout)
      entries = SortedEntries(unread, by: layout.terms)
      listSections = layout.section.map { ListSections(counts, of: entries, by: $0) }
      unread.sections = listSections
      return begin(layout, temporarilyPlaced: [])
    }
    let objects = try batches.map { Array($0) } ?? context.fetch(realising)
    let rows = try context.rows(of: objects)
    var fetched = zip(objects, rows).compactMap { object, row in
      row.map { layout.entry(object, $0) }
    }
    // A save may come between the fetch and this read.
    if !fetched.isSorted(by: layout.requested) {
      fetched.sort { $0.precedes($1, by: layout.requested) }
    }
    try layout.checkSections(of: fetched)
    entries = SortedEntries(fetched, by: layout.terms)
    listSections = layout.section.map { ListSections(of: entries, by: $0) }
    begin(
      layout,
      temporarilyPlaced: Set(fetched.lazy.filter(layout.sortsByTemporaryID).map(\.object)))
  }

  private func begin(_ layout: ListLayout, temporarilyPlaced: Set<ManagedObject>) {
    (self.layout, listed) = (layout, request.naming(context.permanentIDs.byTemporaryID))
    self.temporarilyPlaced = temporarilyPlaced
    isObserving = true
    if onIDChange != nil { toldIDs = fetchedObjectIDs }
    if observations.isEmpty { observe() }
  }

  private func observe() {
    observations = [
      // Weak: the observer of another list may release this one.
      context.observe(\.didChange) { [weak self] in self?.contextDidChange($0) },
      context.observe(\.didSave) { [weak self] _ in self?.contextDidSave() },
      context.observe(\.willMerge) { [weak self] in self?.contextWillMerge(deletions: $0) },
      context.observe(\.didMerge) { [weak self] _ in self?.contextDidMerge() },
    ]
  }

  /// Names objects by the IDs that became permanent since the last call.
  func nameAdoptedIDs() {
    guard idsAdopted != context.permanentIDs.end else { return }
    idsAdopted = context.permanentIDs.end
    hasNewIDs = true
    request = request.naming(context.permanentIDs.byTemporaryID)
    listed = listed.naming(context.permanentIDs.byTemporaryID)
  }

  // MARK: Reading the list

  public var count: Int { entries.count }

  /// Reads the object's batch if needed.
  public subscript(index: Int) -> ManagedObject { entries[index].object }

  public subscript(path: ListPath) -> ManagedObject {
    let section =
      (0..<(listSections?.count ?? 1)).contains(path.section) ? section(path.section) : nil
    guard let range = section?.range, (0..<range.count).contains(path.item) else {
      fatalError("the list has no object at item \(path.item) of section \(path.section)")
    }
    return entries[range.lowerBound + path.item].object
  }

  /// All objects in order. Makes an array at each call, and reads all batches. (Core Data's
  /// `NSArray` reads them on access, a Swift array of it at once.)
  public var fetchedObjects: [ManagedObject] {
    entries.readAll()
    var objects: [ManagedObject] = []
    objects.reserveCapacity(count)
    entries.forEach { objects.append($0.object) }
    return objects
  }

  /// The IDs of all objects in order, some of which may be temporary. Reads no batch.
  public var fetchedObjectIDs: [ManagedObjectID] {
    var ids: [ManagedObjectID] = []
    ids.reserveCapacity(count)
    let unread = entries.unread
    entries.forEach { ids.append(unread?.unreadID(of: $0) ?? $0.object.objectID) }
    return ids
  }

  /// All sections. Without a section key there is one section, without a name.
  public var sections: [ListSection] { (0..<(listSections?.count ?? 1)).map(section) }

  /// The path of an index in the whole list.
  public func path(at index: Int) -> ListPath {
    listSections?.path(at: index) ?? ListPath(section: 0, item: index)
  }

  /// Nil if the object is not in the list.
  public func path(of object: ManagedObject) -> ListPath? {
    entries.position(of: object).map { path(at: entries.index(of: $0)) }
  }

  func section(_ index: Int) -> ListSection {
    guard let listSections, let key = layout.key else {
      return ListSection(key: .null, name: "", range: 0..<count)
    }
    return listSections.section(index, named: key.name)
  }
}

extension ManagedObjectContext {
  func rows(of objects: [ManagedObject]) throws -> [ContiguousArray<Value>?] {
    let faults = objects.filter(\.isFault)
    var fromBelow = try snapshotsFromParent(of: faults.map(\.objectID))[...]
    return objects.map { object in
      object.isFault ? (fromBelow.popFirst() ?? nil)?.values : object.values
    }
  }
}
