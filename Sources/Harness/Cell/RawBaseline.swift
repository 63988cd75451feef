import Baseline
import ObjectGraph
import Queues
import Repeats
import SQLiteStore
import Topologies
import Workload

/// The same changes and lookups through the SQLite C API, on copies of the same store. In a cell
/// that asks about the opening of a list, the list's own query.
///
/// It is the best that this machine can do, measured in the process that measures the topology.
struct RawBaseline {
  private let raw: RawSQLite
  private let configuration: StoreConfiguration
  private let batches: [[Change]]
  private let files: CellFiles
  /// The query of a cell that asks about opening.
  private let list: FetchRequest?
  private(set) var milliseconds: [Double] = []
  /// In ms, including creating and removing the stores.
  private(set) var spent = 0.0

  init(_ cell: PreparedCell, files: CellFiles) throws {
    self.files = files
    let shown = cell.scenario.asksAbout == .open ? cell.scenario.list.shown.first : nil
    list = shown.map { cell.query(ofTable: $0).request }
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
      let time = try list.map { try raw.read($0) } ?? raw.run(batches)
      milliseconds.append(time.milliseconds)
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
