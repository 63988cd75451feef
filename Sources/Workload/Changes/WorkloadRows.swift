import DataModel
import Queues
import Support

/// The rows of a workload, and the keys of the user's changes. Any thread may ask for them.
///
/// A cell of many rows frees them before it measures, and makes them again only to explain a wrong
/// result.
final class WorkloadRows: Sendable {
  struct Contents: Sendable {
    let tables: [TableRows]
    let pairs: [[KeyPair]]
    let editableKeys: [Value]
    let lastingKeys: [Value]
  }

  private let scenario: Scenario
  private let seed: UInt64
  private let kept: Lock<Contents?>

  /// - Parameter touched: the list's rows that a replay changes. A replay never frees its rows.
  init(
    _ tables: [TableRows], _ pairs: [[KeyPair]], _ touched: Set<Value>, of scenario: Scenario,
    seed: UInt64
  ) {
    self.scenario = scenario
    self.seed = seed
    kept = Lock(Contents(tables, pairs, touched, scenario, seed))
  }

  var contents: Contents {
    kept.withLock { kept in
      if let kept { return kept }
      let made = madeAgain()
      kept = made
      return made
    }
  }

  func free() { kept.withLock { $0 = nil } }

  private func madeAgain() -> Contents {
    do {
      let source = try DataSource(scenario)
      let tables = try source.tables()
      let pairs = try source.pairs(tables)
      return Contents(try tables.ruled(for: scenario, pairs), pairs, [], scenario, seed)
    } catch {
      preconditionFailure("the rows were read before, but not again: \(error)")
    }
  }
}

extension WorkloadRows.Contents {
  fileprivate init(
    _ tables: [TableRows], _ pairs: [[KeyPair]], _ touched: Set<Value>, _ scenario: Scenario,
    _ seed: UInt64
  ) {
    self.tables = tables
    self.pairs = pairs
    let rows = tables[0]
    let keys = rows.before.rows.map { $0[rows.entity.keyIndex] }
    func shuffled(stream: UInt64, where isIncluded: (Value) -> Bool) -> [Value] {
      var included = keys.filter(isIncluded)
      var random = SplitMix64(seed: seed, stream: stream)
      random.shuffle(&included)
      return included
    }
    lastingKeys = shuffled(stream: 3) { rows.after[$0] != nil }
    let isEditable = rows.editable(by: scenario.user)
    editableKeys = shuffled(stream: 2) { isEditable($0) && !touched.contains($0) }
  }
}

extension TableRows {
  /// Whether a user may edit a row, so that the order of saves does not matter.
  func editable(by user: Scenario.User) -> (Value) -> Bool {
    { [before, after] key in
      guard let old = before[key], let new = after[key] else { return false }
      return switch user.editedRows {
      case .untouched: old == new
      case .updated:
        old != new && old[user.editedAttribute] == new[user.editedAttribute]
      }
    }
  }
}
