public import ObjectGraph
import Queues
import SQLiteStore

// sliced-merge: siblings on one coordinator, and main takes what was saved bit by bit.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//      ┆ did-save, in units
//      ▼
//    main ◀┄ slice ┄ events, frame ┄ slice ┄ events, frame ┄ …       each within the budget
//      │
//      └────save───▶ coordinator
//
// A worker context lives for one batch. `apply` returns when the worker has saved; `settle` waits for
// the last slice. See SlicedMergeDraft for what arrives together, SlicedMergeLine for what arrives
// first, SlicedMergePace for how much at once, SlicedMergeFeed for when.
//
// Why an object on main is never half a save ahead: a merge brings the row that the row cache holds,
// which is the newest. So main must hold nothing that a commit could change under it, and a commit must
// not come between an object's save and its slice:
//
//   the list's objects are realised    what is realised keeps its values until it is merged
//   a save waits for what it touches   of every object at most one save is on its way to main
//   what main is about to change       is merged before, with all that it is tied to

/// This project's own: notification-merge whose merges are cut into slices that fit a frame, what is
/// on screen first.
///
/// At every frame, each object of the list is wholly as before or wholly as after a save; the list
/// is in the order of the values that it shows; objects that are related by one change, a deletion
/// and all that it deletes or changes in turn, and a row that replaces another of the same key,
/// arrive in one slice.
///
/// What is given up:
/// - **One state of the whole list.** In between, it shows some of a save's objects as they are and
///   others as they were. Where rows must agree beyond their relationships (a sum, a balance), it is
///   the wrong choice.
/// - **Time until all is visible.** Each slice goes through the list once, whatever its size, and
///   looks for the next tick; the longer the list, the more.
/// - **A worker that never waits for main.** A save that touches what is still on its way to main
///   waits for that slice, and so does, in the serial store, every batch for the slices before it:
///   main would wait for the coordinator otherwise. A main queue that stands still holds such a
///   worker up.
/// - **Memory.** All objects of the list are realised when it is loaded, and a save's objects live
///   until its last slice.
/// - **Objects outside the list.** One that main has never realised shows the newest row when it is
///   first read, even if its slice has not come. `bringIn` merges what it belongs to beforehand.
///
/// Do not use it where saves are small against the budget (then it is notification-merge with more
/// to go wrong), or where the list is so long that one pass through it takes the budget.
///
/// Where user and worker change the same row, and the environment states no policy: property by
/// property, what the user set wins, whoever saves first, and what only one of them changed is kept. A row that a save has deleted cannot be
/// edited any more, though its slice may not have come.
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
      "As notification-merge, but main merges a few objects at a time, what is on screen first.",
    mainCosts:
      "The merge, in slices that fit a budget (4 ms), and a pass through the list for each slice; all of"
      + " the list's objects are realised when it is loaded.",
    chooseWhen:
      "Large saves beside a list of some thousand rows that must go on scrolling; not where rows must"
      + " agree with one another at every moment, or saves are small.",
    make: { try SlicedMerge($0) })

  /// - Parameter budget: what a slice may take of the main queue at once.
  /// - Throws: what opening the store throws.
  public init(
    _ environment: TopologyEnvironment, budget: Duration = .milliseconds(4)
  ) throws {
    stack = try ContextStack(mainOnCoordinator: environment, realisesList: true)
    if stack.main.mergePolicy == .error { stack.main.mergePolicy = .objectTrump }
    rules = TyingRules(environment)
    isSerial = environment.storeMode == .serial
    feed = SliceFeed(
      into: stack.main, on: environment.mainQueue, from: workerQueue, budget: budget)
  }

  /// One after the other, whoever writes: what was saved comes to main in the order of the saves.
  public func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let worker = stack.worker(on: workerQueue, savingInto: stack.main.parent)
    if worker.mergePolicy == .error { worker.mergePolicy = .storeTrump }
    let (feed, rules, isSerial) = (feed, rules, isSerial)
    try await worker.perform {
      if isSerial { feed.waitForAll() }
      try work(worker)
      var draft = SaveDraft(of: worker, by: rules)
      let willSave = worker.observeWillSave { [unowned worker] in
        draft = SaveDraft(of: worker, by: rules)
        feed.waitForArrival(of: draft)
      }
      let didSave = worker.observeDidSave { feed.add(SavedUnits($0, draft, by: rules)) }
      defer {
        worker.stopObserving(willSave)
        worker.stopObserving(didSave)
      }
      try worker.save()
    }
  }

  public func settle() async throws {
    await feed.arriveAll()
    try await main.perform {}
    try feed.errors.check()
  }

  /// What slices came to so far.
  public var report: SliceReport { feed.report }
}

// MARK: - On the main queue

extension SlicedMerge {
  /// Merges what is on its way of these objects, and of all that they are tied to. On the main queue.
  public func bringIn(_ ids: some Sequence<ManagedObjectID>) { feed.bringIn(ids) }

  public func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    feed.bringIn(ids)
    return try ids.map { try main.existingObject(with: $0) }
  }

  public func fetchOnMain(_ keys: [Value]) throws -> Int {
    try foundOnMain(keys).count
  }

  public func editOnMain(_ changes: [Change]) throws {
    if !feed.isEmpty { _ = try foundOnMain(changes.compactMap(\.listedKey)) }
    try stack.changes.apply(changes, in: main)
    try saveOnMain()
  }

  /// The objects of these keys, realised, with what is on its way of them.
  private func foundOnMain(_ keys: [Value]) throws -> [ManagedObject] {
    var request = FetchRequest(
      rules.entity, where: .isIn(stack.environment.keyIndex, ValueSet(keys)))
    request.returnsObjectsAsFaults = false
    let objects = try main.fetch(request)
    feed.bringIn(objects.lazy.map(\.objectID))
    return objects.filter { !$0.isDeleted }
  }

  public func visibleRowsDidChange(_ rows: Range<Int>) {
    let list = stack.list
    let rows = rows.clamped(to: 0..<list.count)
    guard !rows.isEmpty || list.count == 0 else { return }
    feed.show(
      VisibleWindow(
        ids: rows.map(list.objectID),
        first: rows.lowerBound == 0 ? nil : list.row(at: rows.lowerBound),
        last: rows.upperBound == list.count ? nil : list.row(at: rows.upperBound - 1),
        descriptors: stack.environment.sortDescriptors))
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
  /// The key of the row of the list that has to be found first; nil for an insert.
  fileprivate var listedKey: Value? {
    if case .update(let key, _) = self { return key }
    if case .delete(let key) = self { return key }
    return nil
  }
}
