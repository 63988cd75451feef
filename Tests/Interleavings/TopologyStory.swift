import Baseline
import DataModel
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import SoakSupport
import TestSupport
import Topologies

/// The file that each trial begins with, in memory if possible.
enum SmallStore {
  static let rows: [ContiguousArray<Value>] = (1...8).map {
    City.values($0, "city \(100 + $0)", population: $0)
  }

  static let folder: TrialFolder = {
    do { return try TrialFolder() } catch { fatalError("no folder for the stores: \(error)") }
  }()
  static var file: URL { folder.url.appending(path: "store.sqlite") }
  private static let template: Result<URL, any Error> = Result {
    let url = folder.url.appending(path: "template.sqlite")
    try StoreFile.createTemplate(at: url, model: City.model, rows: [(City.entity, rows)])
    return url
  }

  static func prepare() throws {
    try StoreFile.remove(at: file)
    try StoreFile.copy(try template.get(), to: file)
  }
}

struct TopologyStory: Sendable {
  private let checks: Checks
  private let topology: any Topology
  private let main = SimulatedMainQueue.unwatched()
  private let shown: ShownRows
  private let inexact: Set<ActivityCounter>
  private let repeatsUpdates: Bool
  private let query = ListQuery(
    City.entity, sortedBy: [City.name.ascending, City.key.ascending])

  /// - Parameter repeatsUpdates: for a test of the check that no update is merged twice.
  init(
    _ descriptor: TopologyDescriptor, _ mode: StoreMode, _ checks: Checks,
    repeatsUpdates: Bool = false
  ) throws {
    self.checks = checks
    self.repeatsUpdates = repeatsUpdates
    inexact = descriptor.dependsOnTiming ? Set(ActivityCounter.allCases) : Self.inexact(descriptor)
    shown = ShownRows(checks, isAhead: descriptor.name == "background-snapshot-waiting")
    main.start()
    topology = try descriptor.make(
      TopologyEnvironment(
        store: SmallStore.file, storeMode: mode, model: City.model, entity: City.entity,
        keyIndex: 0, mainQueue: main,
        lists: [ListDescription(query) { [shown] in shown.listDidChange($0) }],
        lookup: .perBatch, realised: .visible, mergePolicy: .objectTrump))
  }

  /// Documentation/Explanation/Counts.md: these fetch the list after each save, also rows of later
  /// saves.
  private static func inexact(_ descriptor: TopologyDescriptor) -> Set<ActivityCounter> {
    switch descriptor.name {
    case "refetch": [.statements, .rowsRead, .faultsFired, .listChanges]
    case "swiftdata", "swiftdata-autosave": [.rowsRead]
    default: []
    }
  }

  func tellOfTwoWriters() async throws {
    try await open(saving: Batches.populations + Batches.names + [[Batches.edit]])
    checks.begin()
    async let other: Void = write(Batches.names, by: 1)
    async let user: Void = useMain()
    async let search: Void = searchInBackground()
    try await write(Batches.populations, by: 0)
    try await other
    try await user
    try await search
    try await topology.settle()
    checks.end()
    try check(Batches.afterAll)
    try await close()
  }

  func tellOfOneWriter() async throws {
    try await open(saving: Batches.populations + Batches.names)
    main.sync { main.openWindow() }
    checks.begin()
    try await write(Batches.populations + Batches.names, by: 0)
    try await topology.settle()
    checks.end()
    let counts = main.sync { main.closeWindow().counts }
    for (counter, count) in counts where !inexact.contains(counter) {
      checks.count("main's \(counter)", count)
    }
    try check(Batches.afterWriters)
    try await close()
  }

  /// Operations of two callers run one after another, and complete once each.
  func tellOfObjectStore() async throws {
    guard let contexts = topology as? any ContextTopology else { return }
    try await open(saving: Array(repeating: [Batches.increment], count: 4))
    let store = ObjectStore(over: contexts)
    checks.begin()
    async let other: Void = increment(store)
    await increment(store)
    await other
    try await topology.settle()
    checks.end()
    let population = try main.sync { try contexts.main.city(4)[City.population] }
    checks.expect("the incremented population", population, 4 + 4)
    try await close()
  }

  private func increment(_ store: ObjectStore) async {
    for _ in 0..<2 {
      let message = await withCheckedContinuation { continuation in
        store.start { context in
          let city = try context.city(4)
          city[City.population] += 1
          return ObjectStore.Outcome([city])
        } completion: {
          continuation.resume(returning: $0.isSuccess ? nil : $0.message)
        }
      }
      if let message { checks.fail(message) }
    }
  }

  /// - Parameter batches: each is saved once.
  private func open(saving batches: [[Change]]) async throws {
    try await topology.load()
    main.sync {
      shown.watch(topology.list, saving: batches)
      guard let main = (topology as? any ContextTopology)?.main else { return }
      main.observeDidMerge { [shown, repeatsUpdates] in
        shown.mainDidMerge($0)
        if repeatsUpdates, $0.inserted.isEmpty { shown.mainDidMerge($0) }
      }
    }
  }

  private func close() async throws {
    main.sync { shown.stop() }
    try await topology.close()
    main.stop()
  }

  private func write(_ batches: [[Change]], by writer: Int) async throws {
    for batch in batches { try await topology.apply(ChangeBatch(changes: batch), by: writer) }
  }

  private func useMain() async throws {
    for edit in [nil, Batches.edit, nil] {
      try await onMain { [topology, shown] in
        shown.read()
        _ = try topology.fetchOnMain([.int64(2), .int64(3)])
        if let edit { try topology.editOnMain([edit]) }
      }
    }
  }

  private func onMain(_ body: @escaping @Sendable () throws -> Void) async throws {
    let isDone = await withCheckedContinuation { continuation in
      main.async { continuation.resume(returning: Result(catching: body)) }
    }
    try isDone.get()
  }

  private func searchInBackground() async throws {
    let found = try await topology.search(query)
    try await onMain { for index in 0..<found.count { _ = found.row(at: index) } }
  }

  private func check(_ expected: [ContiguousArray<Value>]) throws {
    let stored = try PlainReader(SmallStore.file).rows(of: City.entity).map(\.values)
    let inOrder = [City.name.ascending, City.key.ascending]
    checks.expect("stored", stored.sorted { inOrder.order($0, $1) < 0 }, expected)
    let (list, stale) = try main.sync {
      shown.read()
      return (shown.rows, try topology.staleObjectsOnMain())
    }
    checks.expect("shown", list, expected)
    checks.expect("stale objects", stale, 0)
  }
}

enum Batches {
  private static func set(_ column: Int, of key: Int64, _ value: Value) -> Change {
    .update(key: .int64(key), fields: [FieldChange(index: column, value: value)])
  }

  static let populations: [[Change]] = [
    [set(2, of: 1, .int64(1001)), set(2, of: 2, .int64(1002)), .insert(City.values(101, "aa"))],
    [set(2, of: 3, .int64(1003)), .delete(key: .int64(5))],
  ]

  static let names: [[Change]] = [
    [set(1, of: 2, .string("zz 2")), set(1, of: 1, .string("zz 1"))],
    [set(1, of: 3, .string("zz 3")), .delete(key: .int64(6)), .insert(City.values(102, "bb"))],
  ]

  static let edit = set(3, of: 7, .string("by main"))

  /// As the object store's operations change the row.
  static let increment = set(2, of: 4, .int64(5))

  /// Computed without the core.
  static let afterWriters: [ContiguousArray<Value>] = [
    City.values(101, "aa"), City.values(102, "bb"), City.values(4, "city 104", population: 4),
    City.values(7, "city 107", population: 7), City.values(8, "city 108", population: 8),
    City.values(1, "zz 1", population: 1001), City.values(2, "zz 2", population: 1002),
    City.values(3, "zz 3", population: 1003),
  ]

  static let afterAll: [ContiguousArray<Value>] = {
    var rows = afterWriters
    rows[3][3] = .string("by main")
    return rows
  }()
}
