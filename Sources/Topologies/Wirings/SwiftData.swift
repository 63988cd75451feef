package import ObjectGraph
import Queues

// swiftdata: siblings on one coordinator, and live queries on main.
//
//   worker ──save──▶ coordinator ──▶ SQLite: rows + history
//      ┆ did-save
//      ▼
//    main ──────────▶ coordinator          every live query fetches again, on the main queue
//
// SwiftData's source is closed, so this follows its users' reports. Every save makes every live
// query fetch again and realise its whole result: github.com/EricAndrechek/Pacer/pull/104,
// github.com/vultisig/vultisig-ios/pull/5112. Each observer of each save costs time on main:
// github.com/AudioBooth/AudioBooth/issues/371, pull/372. Nothing is merged, and an object that no
// query returns keeps its old values: github.com/3lvis/SwiftSync/pull/629.
//
// Our choices: main's own saves count as saves. A query refreshes objects that are older than their
// rows. The screen reloads. History is never pruned. The last lookup's objects stay on main.
//
// In `swiftdata-on-main` the worker is a model actor that was created on main. Its executor is then
// main's, so that all its work blocks main: medium.com/@sebasf8, "SwiftData fetch from background
// thread".
//
// In `swiftdata-autosave` main saves later. Apple says "after you make changes"
// (ModelContext.autosaveEnabled), but not when. Here main saves in its next block, once for all
// edits until then.

package final class SwiftData: ContextTopology {
  package let stack: ContextStack
  private let queries: LiveQueries
  private let autosaves: Bool
  private let worksOnMain: Bool
  private let workers = WorkerQueues()

  private static let refusals: [WorkKind: String] = [
    .batches: "a @Query fetches its whole result",
    .sections: "only a @Query of iOS 27 has them, and this topology models an earlier one",
  ]

  static let descriptor = TopologyDescriptor(
    name: "swiftdata",
    wiring: "worker → coordinator ← main    did-save ⇢ main: every query fetches again",
    summary:
      "As its users report: after each save every live query on main fetches again."
      + " Nothing is merged.",
    mainCosts:
      "A fetch of each query's whole result for each save of anything, and a reload of the screen."
      + " Objects outside the queries stay stale.",
    chooseWhen: "An app on SwiftData, with few and small live queries and few saves.",
    knownAs: ["SwiftData's @Query", "ModelContext(container) beside mainContext"],
    dependsOnTiming: true, refusals: refusals,
    make: { try SwiftData($0, autosaves: false) })

  static let autosaveDescriptor = TopologyDescriptor(
    name: "swiftdata-autosave",
    wiring: "worker → coordinator ◀autosave─ main    did-save ⇢ main: queries fetch",
    summary: "As swiftdata, but main saves the user's edits by itself, in a later block.",
    mainCosts: "As swiftdata. The save of an edit comes in the next block.",
    chooseWhen: "As swiftdata, if the app may lose the last edits when it ends.",
    knownAs: ["SwiftData with mainContext.autosaveEnabled, the default"],
    dependsOnTiming: true, refusals: refusals,
    make: { try SwiftData($0, autosaves: true) })

  static let onMainDescriptor = TopologyDescriptor(
    name: "swiftdata-on-main",
    wiring: "worker on main's queue → coordinator ← main    did-save ⇢ main: queries fetch",
    summary: "As swiftdata, but the worker's model actor was created on main and works there.",
    mainCosts: "As swiftdata, and the worker's lookups, changes and writes.",
    chooseWhen:
      "Never: the actor's imports run on main. Create the model actor off main, for example in a"
      + " detached task.",
    knownAs: ["@ModelActor created on main"],
    kind: .antiPattern, refusals: refusals,
    make: { try SwiftData($0, autosaves: false, worksOnMain: true) })

  init(_ environment: TopologyEnvironment, autosaves: Bool, worksOnMain: Bool = false) throws {
    self.autosaves = autosaves
    self.worksOnMain = worksOnMain
    stack = try ContextStack(mainOnCoordinator: environment, keepsHistory: true)
    queries = LiveQueries(environment.lists.map { [stack] in LiveQuery($0, in: stack.main) })
  }

  package func load() async throws {
    try await main.perform { [stack, queries] in
      for query in queries.all { try query.fetch() }
      // Weak: main retains its observers.
      stack.main.observeDidSave { [weak stack, weak queries] _ in
        guard let stack, let queries else { return }
        stack.onMain { _ in try queries.fetchAgain() }
      }
    }
  }

  package func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let queue: any SerialQueue = worksOnMain ? stack.environment.mainQueue : workers[writer]
    let worker = stack.worker(on: queue, savingInto: stack.main.parent) {
      $0.observeDidSave { [stack, queries] _ in stack.onMain { _ in try queries.fetchAgain() } }
    }
    try await worker.performAndSave(work)
  }

  package func fetchOnMain(_ keys: [Value]) throws -> Int {
    queries.lookedUp = try objectsOnMain(withKeys: keys)
    return queries.lookedUp.count
  }

  package func searchOnMain(_ query: ListQuery) throws -> any ListOnMain {
    let objects = try main.fetch(query.foundAtOnce)
    try main.refreshOutdated(objects)
    return FoundObjects(objects: objects, query: query)
  }

  package func editOnMain(_ changes: [Change]) throws {
    try stack.changes.apply(changes, in: main)
    guard autosaves else { return try saveOnMain() }
    stack.onMain { if $0.hasChanges { try $0.save() } }
  }

  package func settle() async throws {
    // An autosave makes the queries fetch in a block of its own.
    if autosaves { try await main.perform {} }
    try await stack.settle()
  }

  package var list: any ListOnMain { queries.all.first ?? NoList() }

  package var lists: [any ListOnMain] { queries.all }
}

// @unchecked: used on the context's queue only.
final class LiveQuery: ListOnMain, @unchecked Sendable {
  private let context: ManagedObjectContext
  private let query: ListQuery
  private let request: FetchRequest
  private let didChange: @Sendable (ListEvent) -> Void
  private var objects: [ManagedObject] = []

  init(_ list: ListDescription, in context: ManagedObjectContext) {
    self.context = context
    didChange = list.didChange
    query = list.query
    request = query.request.realised
  }

  /// Fetches the list, and refreshes objects that are older than their rows.
  func fetch() throws {
    let objects = try context.fetch(request)
    try context.refreshOutdated(objects)
    self.objects = objects
  }

  func fetchAgain() throws {
    try fetch()
    didChange(.reload)
  }

  var count: Int { objects.count }

  func row(at index: Int) -> ContiguousArray<Value> { objects[index].allValues }

  func cell(at index: Int) -> ContiguousArray<Value> { objects[index].cell(query) }
}

// @unchecked: used on the context's queue only.
final class LiveQueries: @unchecked Sendable {
  let all: [LiveQuery]
  /// The objects of the last lookup, retained as by a detail screen.
  var lookedUp: [ManagedObject] = []

  init(_ all: [LiveQuery]) {
    self.all = all
  }

  func fetchAgain() throws {
    for query in all { try query.fetchAgain() }
  }
}
