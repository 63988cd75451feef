import Baseline
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Topologies

/// A topology with its own store and main queue.
struct Bench: Sendable {
  let main = SimulatedMainQueue(heartbeat: nil)
  let topology: any Topology
  let file: URL
  private let folder: URL

  static let byName = ListQuery(
    City.entity, sortedBy: [City.name.ascending, City.key.ascending])

  static let initial: [ContiguousArray<Value>] = (1...40).map {
    City.values($0, "city \(100 + $0)", population: $0)
  }

  init(
    _ descriptor: TopologyDescriptor, _ mode: StoreMode = .pool, lookup: Lookup = .perBatch,
    mergePolicy: MergePolicy = .error, reusesWorkers: Bool = false,
    workersUndo: Bool = false,
    deletion: FetchPredicate = .false, query: ListQuery = Bench.byName,
    listDidChange: @escaping @Sendable (ListEvent) -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench-bench-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appendingPathComponent("store.sqlite")
    try StoreFile.createTemplate(
      at: file, model: City.model, rows: [(City.entity, Self.initial)])
    main.start()
    topology = try descriptor.make(
      TopologyEnvironment(
        store: file, storeMode: mode, model: City.model, entity: City.entity, keyIndex: 0,
        rowEntities: [RowEntity(City.entity, keyIndex: 0, deletion: deletion)], mainQueue: main,
        lists: [ListDescription(query, didChange: listDidChange)], lookup: lookup,
        realised: .visible, reusesWorkers: reusesWorkers, workersUndo: workersUndo,
        mergePolicy: mergePolicy))
  }

  static func with(
    _ descriptor: TopologyDescriptor, _ mode: StoreMode = .pool, lookup: Lookup = .perBatch,
    mergePolicy: MergePolicy = .error, deletion: FetchPredicate = .false,
    _ body: (Bench) async throws -> Void
  ) async throws {
    let bench = try Bench(
      descriptor, mode, lookup: lookup, mergePolicy: mergePolicy, deletion: deletion)
    try await bench.topology.load()
    do {
      try await body(bench)
    } catch {
      try await bench.close()
      throw error
    }
    try await bench.close()
  }

  func close() async throws {
    try await topology.settle()
    try await closeUnsettled()
  }

  /// After an error that `settle` throws.
  func closeUnsettled() async throws {
    try await topology.close()
    main.stop()
    try FileManager.default.removeItem(at: folder)
  }

  func shown() -> [ContiguousArray<Value>] {
    let topology = topology
    return main.sync { (0..<topology.list.count).map { topology.list.row(at: $0) } }
  }

  /// Rows read by plain SQLite, in the list's order.
  func stored() throws -> [ContiguousArray<Value>] {
    try PlainReader(file).rows(of: City.entity).map(\.values).sorted(by: Self.isListed)
  }

  static func isListed(
    _ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>
  ) -> Bool {
    [City.name.ascending, City.key.ascending].order(a, b) < 0
  }
}

extension Topology {
  func apply(_ changes: [Change], by writer: Int = 0) async throws {
    try await apply(ChangeBatch(changes: changes), by: writer)
  }
}

/// Two batches of inserts, updates (with renames) and deletes.
enum Stream {
  static let batches: [[Change]] = [
    [
      .insert(City.values(101, "city 117b")),
      .update(key: .int64(3), fields: [FieldChange(index: 1, value: .string("zz"))]),
      .delete(key: .int64(5)),
      .update(key: .int64(7), fields: [FieldChange(index: 2, value: .int64(700))]),
      .insert(City.values(102, "aa")),
    ],
    [
      .delete(key: .int64(101)),
      .update(
        key: .int64(3),
        fields: [
          FieldChange(index: 1, value: .string("city 100")),
          FieldChange(index: 3, value: .string("nick")),
        ]),
      .update(key: .int64(102), fields: [FieldChange(index: 4, value: .double(1.5))]),
      .delete(key: .int64(40)),
    ],
  ]

  /// The final rows, computed without the core.
  static var expected: [ContiguousArray<Value>] {
    var rows = Bench.initial.filter { ![.int64(5), .int64(40)].contains($0[0]) }
    rows[2][1] = .string("city 100")
    rows[2][3] = .string("nick")
    rows[5][2] = .int64(700)
    rows.append([.int64(102), .string("aa"), .int64(0), .null, .double(1.5)])
    return rows.sorted(by: Bench.isListed)
  }
}
