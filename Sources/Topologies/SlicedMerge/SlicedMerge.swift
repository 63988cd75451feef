public import ObjectGraph
import Queues
import SQLiteStore

// sliced-merge: siblings on one coordinator; main merges each save in slices.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save, in units
//      ▼
//    main ◀┄ slice ┄ events, frame ┄ slice ┄ events, frame ┄ …    each within a frame budget
//      │
//      └────save───▶ coordinator
//
// SlicedMergeDraft decides which objects arrive together, SlicedMergeLine which come first,
// SlicedMergePace how many fit a slice, and SlicedMergeFeed when a slice runs.
//
// An object on main never shows a half-merged save. A merge reads the object's newest row from the
// row cache. So no commit may change what main has read, or come between an object's save and its
// slice:
//
//   the list's objects are realised    a realised object keeps its values until it is merged
//   a save waits for pending objects   at most one save of each object is on its way to main
//   main's edits merge first           the edited objects, with all objects tied to them

/// This project's own topology: notification-merge in slices that fit a frame, visible rows first.
///
/// At every frame, each object of the list shows a save wholly or not at all. Tied objects arrive
/// in one slice: objects related by one change, a deletion with all that it deletes or changes, and
/// a row that replaces another with the same key.
///
/// Limits:
/// - The list may show only some of a save's objects. Do not use it where rows must agree beyond
///   their relationships, such as in a sum.
/// - A save of objects that are on their way to main waits for their slice. In the serial store,
///   every batch waits for all earlier slices, so that main does not wait for the coordinator.
/// - All objects of the list are realised. A save's objects live until its last slice.
/// - An object that main has never realised shows its newest row, even before its slice. `bringIn`
///   merges its unit earlier.
///
/// If the environment sets no merge policy, contexts merge by property. The user's properties win,
/// whoever saves first. A row that a save has deleted cannot be edited, even before its slice.
public final class SlicedMerge: ContextTopology {
  public let stack: ContextStack
  private let rules: TyingRules
  private let feed: SliceFeed
  private let workerQueue = PrivateQueue(label: "worker", isWarm: true)
  private let isSerial: Bool

  public static let descriptor = TopologyDescriptor(
    name: "sliced-merge",
    wiring: "worker → coordinator ← main, did-save merged into main in slices",
    summary:
      "As notification-merge, but main merges a few objects at a time, visible rows first.",
    mainCosts:
      "The merge, in slices that fit a frame budget (4 ms). All of the list's objects are realised"
      + " when it is loaded.",
    chooseWhen:
      "Large saves beside a list of some thousand rows that must keep scrolling. Not if rows must"
      + " agree with one another at every moment, or if saves are small.",
    dependsOnTiming: true,
    refusals: [.batches: "it realises all of the list's objects when the list is loaded"],
    make: { try SlicedMerge($0) })

  /// - Parameter frameBudget: the longest time that a slice should take on the main queue.
  /// - Throws: errors of opening the store.
  public init(_ environment: TopologyEnvironment, frameBudget: Duration = .milliseconds(4)) throws {
    stack = try ContextStack(mainOnCoordinator: environment, realisesList: true)
    if stack.main.mergePolicy == .error { stack.main.mergePolicy = .objectTrump }
    rules = TyingRules(environment)
    isSerial = environment.storeMode == .serial
    feed = SliceFeed(into: stack, from: workerQueue, frameBudget: frameBudget)
  }

  /// Serves one writer at a time.
  public func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let worker = stack.worker(on: workerQueue, savingInto: stack.main.parent)
    if worker.mergePolicy == .error { worker.mergePolicy = .storeTrump }
    let (feed, rules, isSerial) = (feed, rules, isSerial)
    try await worker.perform {
      if isSerial { feed.waitForAll() }
      try worker.rollingBack { try work(worker) }
      let draft = Lock(SaveDraft(of: worker, by: rules))
      let willSave = worker.observeWillSave { [unowned worker] in
        let latest = SaveDraft(of: worker, by: rules)
        draft.withLock { $0 = latest }
        feed.waitForArrival(of: latest)
      }
      let didSave = worker.observeDidSave { save in
        feed.add(SavedUnits(save, draft.withLock { $0 }, by: rules))
      }
      defer {
        worker.stopObserving(willSave)
        worker.stopObserving(didSave)
      }
      try worker.rollingBack { try worker.save() }
    }
  }

  public func settle() async throws {
    await feed.arriveAll()
    try await stack.settle()
  }

  /// Statistics of the slices so far.
  public var report: SliceReport { feed.report }
}

// MARK: - On the main queue

extension SlicedMerge {
  /// Merges these objects and everything tied to them. Call it on the main queue.
  public func bringIn(_ ids: some Sequence<ManagedObjectID>) { feed.bringIn(ids) }

  public func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    feed.bringIn(ids)
    return try ids.map { try main.existingObject(with: $0) }
  }

  public func fetchOnMain(_ keys: [Value]) throws -> Int {
    try foundOnMain(keys).count
  }

  /// Merges the found objects' pending units, so that what is shown is what was found.
  public func searchOnMain(_ query: ListQuery) throws -> any ListOnMain {
    let objects = try main.fetch(query.foundAtOnce)
    feed.bringIn(objects.lazy.map(\.objectID))
    return FoundObjects(objects: objects.filter { !$0.isDeleted }, query: query)
  }

  public func editOnMain(_ changes: [Change]) throws {
    if !feed.isEmpty { _ = try foundOnMain(changes.compactMap(\.listedKey)) }
    try stack.changes.apply(changes, in: main)
    try saveOnMain()
  }

  /// Merges the found objects' pending units.
  private func foundOnMain(_ keys: [Value]) throws -> [ManagedObject] {
    let objects = try objectsOnMain(withKeys: keys)
    feed.bringIn(objects.lazy.map(\.objectID))
    return objects.filter { !$0.isDeleted }
  }

  public func visibleRowsDidChange(_ rows: Range<Int>) {
    let list = stack.list
    guard let query = stack.environment.lists.first?.query, query.entity === rules.entity
    else { return }
    let rows = rows.clamped(to: 0..<list.count)
    guard !rows.isEmpty || list.count == 0 else { return }
    feed.show(
      VisibleWindow(
        ids: rows.map(list.objectID),
        first: rows.lowerBound == 0 ? nil : list.row(at: rows.lowerBound),
        last: rows.upperBound == list.count ? nil : list.row(at: rows.upperBound - 1),
        terms: query.sortTerms))
  }

  public var notes: [String: Double] {
    let report = report
    return [
      "slices": Double(report.slices),
      "slice_objects": Double(report.objects),
      "slice_longest_ms": report.longest.milliseconds,
      "slices_over_budget": Double(report.slicesOverBudget),
      "units_over_budget": Double(report.unitsOverBudget),
      "unit_over_budget_objects": Double(report.largestUnitOverBudget),
    ]
  }
}

extension Change {
  fileprivate var listedKey: Value? {
    switch (entity, kind) {
    case (0, .update(let key, _)), (0, .delete(let key)): key
    default: nil
    }
  }
}
