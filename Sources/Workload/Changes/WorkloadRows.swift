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
    // Nil until they are asked for: few scenarios need them, and of a million rows they take long.
    fileprivate var editableKeys: [Value]?
    fileprivate var lastingKeys: [Value]?
  }

  private let scenario: Scenario
  private let seed: UInt64
  private let touched: Set<Value>
  private let kept: Lock<Contents?>

  /// - Parameter touched: the list's rows that a replay changes. A replay never frees its rows.
  init(
    _ tables: [TableRows], _ pairs: [[KeyPair]], _ touched: Set<Value>, of scenario: Scenario,
    seed: UInt64
  ) {
    self.scenario = scenario
    self.seed = seed
    self.touched = touched
    kept = Lock(Contents(tables: tables, pairs: pairs))
  }

  var contents: Contents {
    kept.withLock { kept in
      if let kept { return kept }
      let made = madeAgain()
      kept = made
      return made
    }
  }

  /// The keys of the list's rows that the user may edit, shuffled.
  var editableKeys: [Value] {
    keys(\.editableKeys, stream: 2) { table in
      let isEditable = table.editable(by: scenario.user)
      return { [touched] in isEditable($0) && !touched.contains($0) }
    }
  }

  /// The keys of the list's rows that exist both before and after, shuffled.
  var lastingKeys: [Value] {
    keys(\.lastingKeys, stream: 3) { table in { table.after[$0] != nil } }
  }

  /// Drawn when they are first asked for.
  private func keys(
    _ kind: WritableKeyPath<Contents, [Value]?>, stream: UInt64,
    _ filter: (TableRows) -> (Value) -> Bool
  ) -> [Value] {
    kept.withLock { kept in
      var contents = kept ?? madeAgain()
      if let keys = contents[keyPath: kind] { return keys }
      let keys = contents.keys(seed, stream: stream, where: filter(contents.tables[0]))
      contents[keyPath: kind] = keys
      kept = contents
      return keys
    }
  }

  func free() { kept.withLock { $0 = nil } }

  private func madeAgain() -> Contents {
    do {
      let source = try DataSource(scenario)
      let tables = try source.tables()
      let pairs = try source.pairs(tables)
      return Contents(tables: try tables.ruled(for: scenario, pairs), pairs: pairs)
    } catch {
      preconditionFailure("the rows were read before, but not again: \(error)")
    }
  }
}

extension WorkloadRows.Contents {
  /// The keys of the list's rows before the changes, shuffled.
  fileprivate func keys(
    _ seed: UInt64, stream: UInt64, where isIncluded: (Value) -> Bool
  ) -> [Value] {
    let rows = tables[0]
    var keys = rows.before.rows.map { $0[rows.entity.keyIndex] }.filter(isIncluded)
    var random = SplitMix64(seed: seed, stream: stream)
    random.shuffle(&keys)
    return keys
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
