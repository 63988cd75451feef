import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import Topologies
import Workload

/// The same changes and lookups by the SQLite C API, on fresh copies of the same store: what the
/// machine can do at best, measured in the process that measures the topology.
struct RawBaseline {
  private let raw: RawSQLite
  private let configuration: StoreConfiguration
  private let batches: [[RawSQLite.Change]]
  private let files: CellFiles
  /// The time of each run so far.
  private(set) var milliseconds: [Double] = []
  /// How long all runs took, with the making and removing of their stores, in ms.
  private(set) var spent = 0.0

  init(_ cell: PreparedCell, files: CellFiles) throws {
    self.files = files
    configuration = StoreConfiguration(url: files.baseline, mode: cell.storeMode)
    raw = try RawSQLite(
      configuration, model: cell.model.model,
      rows: cell.model.tables.map { RawSQLite.Rows($0.rowEntity) },
      lookup: cell.lookup == .perObject ? .perObject : .perBatch)
    let isLookedUp = cell.scenario.changes.stream == .arrivals
    batches = cell.effects.map { effects in
      effects.flatMap { effect -> [RawSQLite.Change] in
        let change = RawSQLite.Change(effect)
        return isLookedUp ? [RawSQLite.Change(findingRowOf: effect, cell), change] : [change]
      }
    }
  }

  mutating func run(times: Int) throws {
    let start = SystemClock().now()
    defer { spent += (SystemClock().now() - start).milliseconds }
    for _ in 0..<times {
      try files.makeBaseline()
      milliseconds.append(try raw.run(batches).milliseconds)
      try StoreFile.remove(at: files.baseline)
    }
  }
}

extension RawSQLite.Change {
  /// Whoever gets a whole row looks for it, whether it is new or not.
  fileprivate init(findingRowOf effect: Change, _ cell: PreparedCell) {
    let (entity, change) = effect.withEntity
    let key: Value =
      switch change {
      case .insert(let values): values[cell.model.tables[entity].keyIndex]
      case .update(let key, _), .delete(let key): key
      default: .null
      }
    self = .of(entity, .find(key: key))
  }
}
