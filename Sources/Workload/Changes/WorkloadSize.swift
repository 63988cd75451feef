import DataModel

/// How much work a scenario is, for an estimate of its time.
package struct WorkloadSize: Equatable, Sendable {
  /// Of all entities, before the changes.
  package let rows: Int
  package let changes: Int
  package let saves: Int
  /// Of data files, and of generated values whose size the scenario gives.
  package let bytes: Int
  /// When the last save is due after the window's opening; zero if each follows the last at once.
  package let lastDue: Duration

  init(_ workload: Workload) {
    rows = workload.tables.reduce(0) { $0 + $1.before.rows.count }
    changes = workload.counts.total
    saves = workload.batches.count
    bytes = workload.scenario.sizedBytes
    lastDue = workload.due.last ?? .zero
  }

  /// Counts generated rows without making them; nil if a file or a story decides their number.
  init?(counting scenario: Scenario) {
    guard let list = scenario.generation, list.story == .rows, scenario.changes.saves == nil else {
      return nil
    }
    let all = [list] + scenario.others.compactMap(\.generation)
    let counts = all.reduce(into: ChangeCounts()) { counts, generation in
      counts.inserts += generation.inserts
      counts.updates += generation.updates
      counts.deletes += generation.deletes
    }
    self.init(
      scenario, rows: all.reduce(0) { $0 + $1.rows }, counts, bytes: scenario.sizedBytes)
  }

  /// - Parameter bytes: of the files that the rows come from.
  init(_ scenario: Scenario, _ tables: [TableRows], bytes: Int) {
    self.init(
      scenario, rows: tables.reduce(0) { $0 + $1.before.rows.count },
      ChangeCounts(tables.lazy.flatMap { $0.differences(of: 0) }), bytes: bytes)
  }

  private init(_ scenario: Scenario, rows: Int, _ counts: ChangeCounts, bytes: Int) {
    let changes = scenario.changes
    // No save holds changes of two parts.
    let parts: [Int] =
      switch changes.stream {
      case .incremental: [counts.total]
      case .replace: [rows, rows + counts.inserts - counts.deletes]
      case .arrivals: [counts.inserts + counts.updates, counts.deletes]
      }
    let saves = parts.filter { $0 > 0 }.reduce(0) { saves, count in
      saves + 1 + (count - 1) / (changes.perSave ?? count)
    }
    self.rows = rows
    self.saves = saves
    self.bytes = bytes
    self.changes = parts.reduce(changes.bySecondWorker, +)
    lastDue = changes.pace.lastDue(of: saves)
  }
}

extension Scenario {
  /// Whether the numbers of rows decide when each save is due.
  ///
  /// A reference may need a change of its own, and a column that a migration adds may be updated
  /// to the value that it has.
  var countsDecideSaves: Bool {
    changes.saves == nil && changes.stream != .arrivals && changes.deletions == .explicit
      && older == nil && entities.allSatisfy(\.references.isEmpty)
  }

  /// Of the values before the changes whose size the scenario gives.
  fileprivate var sizedBytes: Int {
    let counts = [generation] + others.map(\.generation)
    return zip(entities, counts).reduce(0) { bytes, table in
      let (entity, generation) = table
      return bytes + (generation?.rows ?? 0) * entity.bytesOfSizedValues
    }
  }
}

extension RowDescription {
  fileprivate var bytesOfSizedValues: Int {
    sizes.reduce(0) { bytes, size in
      let isText = attributes[size.key].type == .string
      return bytes + size.value * (isText ? Self.bytesOfWord : 1)
    }
  }

  /// With a space, of a generated word of two to four syllables.
  private static let bytesOfWord = 7
}
