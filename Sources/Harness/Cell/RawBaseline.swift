import Baseline
import ObjectGraph
import Queues
import Repeats
import SQLiteStore
import Topologies
import Workload

/// The same changes and lookups through the SQLite C API, on copies of the same store.
///
/// It is the best that this machine can do, measured in the process that measures the topology.
struct RawBaseline {
  private let raw: RawSQLite
  private let configuration: StoreConfiguration
  private let batches: [[Change]]
  private let files: CellFiles
  private(set) var milliseconds: [Double] = []
  /// In ms, including creating and removing the stores.
  private(set) var spent = 0.0

  init(_ cell: PreparedCell, files: CellFiles) throws {
    self.files = files
    var configuration = StoreConfiguration(url: files.baseline, mode: cell.storeMode)
    configuration.keepsHistory = cell.scenario.store.age > 0
    self.configuration = configuration
    raw = try RawSQLite(
      configuration, model: cell.model.model,
      rows: cell.model.tables.map(\.rowEntity), lookup: cell.scenario.find)
    let isLookedUp = cell.scenario.changes.stream == .arrivals
    batches = cell.effects.map { effects in
      isLookedUp ? effects.flatMap { [.lookingUp($0, cell), $0] } : effects
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

extension Change {
  fileprivate static func lookingUp(_ effect: Change, _ cell: PreparedCell) -> Change {
    let key = effect.key(at: cell.model.tables[effect.entity].keyIndex) ?? .null
    return .update(key: key, fields: [], of: effect.entity)
  }
}
