import DataModel
import Support

// A server sends whole rows, and does not say which are new:
//
//   rows   every new or different row: found by its key and updated, or inserted
//   json   each row of the list as a record that nests the rows on both ends of its references
//   then   rows that no longer exist are deleted, by key or by `delete_where`

/// Rows that arrive together.
struct Arrivals {
  var batch = ChangeBatch()
  /// The rows of the batch's records, as upserts in the order in which a decoder meets them.
  var recordRows: [Change] = []

  static func += (earlier: inout Arrivals, later: Arrivals) {
    earlier.batch.records += later.batch.records
    earlier.batch.changes += later.batch.changes
    earlier.recordRows += later.recordRows
  }
}

struct ArrivingStream {
  let tables: [TableRows]
  let scenario: Scenario
  /// By entity: the rows that changes delete; nil for all that go.
  let owners: [Set<Value>]?
  let seed: UInt64

  /// Those with records come first.
  func batches() throws(InputError) -> [Arrivals] {
    var stream = RelatedStream(
      tables, scenario.changes.references, owners: owners, seed: seed)
    let (arrivals, deletes) = stream.wholeRows()
    let size = scenario.changes.perSave
    let arriving =
      try scenario.changes.arriveAsJSON
      ? records(arrivals, size) : withUnchanged(arrivals).arrivals(of: size)
    guard scenario.changes.deleteWhere != nil else { return arriving + deletes.arrivals(of: size) }
    let others = deletes.filter { $0.entity != 0 }
    return arriving + others.arrivals(of: size) + [.deleteWhere()].arrivals(of: 1)
  }

  /// Puts unchanged rows at random positions among the arrivals.
  private func withUnchanged(_ arrivals: [Change]) -> [Change] {
    var random = SplitMix64(seed: seed, stream: 5)
    var unchanged = tables.enumerated().flatMap { index, table in
      table.after.rows.filter { table.before[$0[table.entity.keyIndex]] == $0 }
        .map { Change.upsert($0, of: index) }
    }
    random.shuffle(&unchanged)
    let share = unchanged.count.share(percent: scenario.changes.unchangedPercent)
    var left = unchanged.prefix(share)
    guard !left.isEmpty else { return arrivals }
    var rest = arrivals[...]
    var all: [Change] = []
    while !left.isEmpty || !rest.isEmpty {
      let isNew = random.next(below: left.count + rest.count) < rest.count
      all.append(isNew ? rest.removeFirst() : left.removeFirst())
    }
    return all
  }

  /// Rows that are part of no record arrive after the records, by themselves.
  private func records(_ arrivals: [Change], _ size: Int?) throws(InputError) -> [Arrivals] {
    var random = SplitMix64(seed: seed, stream: 4)
    var rows = tables[0].after.rows
    random.shuffle(&rows)
    let writer = RecordWriter(tables, of: scenario)
    let step = size ?? max(1, rows.count)
    var batches: [Arrivals] = []
    for start in stride(from: 0, to: rows.count, by: step) {
      batches.append(try writer.records(rows[start..<min(start + step, rows.count)]))
    }
    let nested = Set(batches.flatMap(\.recordRows))
    let alone = arrivals.filter { !nested.contains($0) }
    return batches + alone.arrivals(of: size)
  }

  /// Plain inserts, updates and deletes. An update without fields is a row that was looked up and
  /// needs no change.
  func effects(of batches: [Arrivals]) -> [[Change]] {
    var state = tables.map { table in
      Dictionary(uniqueKeysWithValues: table.before.rows.map { ($0[table.entity.keyIndex], $0) })
    }
    return batches.map { arrivals in
      (arrivals.recordRows + arrivals.batch.changes).flatMap { effect(of: $0, &state) }
    }
  }

  private func effect(of change: Change, _ state: inout [[Value: Row]]) -> [Change] {
    let index = change.entity
    let (table, keyIndex) = (tables[index], tables[index].entity.keyIndex)
    switch change.kind {
    case .deleteWhere:
      return table.before.rows.map { $0[keyIndex] }.filter { table.after[$0] == nil }
        .map { .delete(key: $0, of: index) }
    case .upsert(let row):
      let key = row[keyIndex]
      guard let old = state[index].updateValue(row, forKey: key) else {
        return [.insert(row, of: index)]
      }
      return [.update(key: key, fields: old.changedFields(to: row), of: index)]
    case .update(let key, let fields):
      for field in fields { state[index][key]?[field.index] = field.value }
      return [change]
    case .insert, .delete: return [change]
    }
  }
}

extension [Change] {
  fileprivate func arrivals(of size: Int?) -> [Arrivals] {
    batches(of: size).map { Arrivals(batch: ChangeBatch(changes: $0)) }
  }
}
