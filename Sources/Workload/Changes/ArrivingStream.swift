import DataModel
import Support

// A server sends whole rows, and does not say which are new:
//
//   rows   every new or different row: found by its key and updated, or inserted
//   json   each row of the list as a record that nests the rows on both ends of its references
//   then   rows that no longer exist are deleted, by key or by `delete_where`

struct ArrivingStream {
  let tables: [TableRows]
  let scenario: Scenario
  let seed: UInt64

  func batches() throws(InputError) -> [[RowChange]] {
    var stream = RelatedStream(tables, scenario.changes.references, seed: seed)
    let (arrivals, deletes) = stream.wholeRows()
    let size = scenario.changes.perSave
    let arriving =
      try scenario.changes.arriveAsJSON
      ? records(arrivals, size) : withUnchanged(arrivals).batches(of: size)
    guard scenario.changes.deleteWhere != nil else { return arriving + deletes.batches(of: size) }
    let others = deletes.filter { if case .of = $0 { true } else { false } }
    return arriving + others.batches(of: size) + [[.deleteWhere]]
  }

  /// Unchanged rows are at random places among the arrivals.
  private func withUnchanged(_ arrivals: [RowChange]) -> [RowChange] {
    var random = SplitMix64(seed: seed, stream: 5)
    var unchanged = tables.enumerated().flatMap { index, table in
      table.after.rows.filter { table.before[$0[table.entity.keyIndex]] == $0 }
        .map { RowChange.upsert($0).of(index) }
    }
    random.shuffle(&unchanged)
    let share = unchanged.count.share(percent: scenario.changes.unchangedPercent)
    var left = unchanged.prefix(share)
    guard !left.isEmpty else { return arrivals }
    var rest = arrivals[...]
    var all: [RowChange] = []
    while !left.isEmpty || !rest.isEmpty {
      let isNew = random.next(below: left.count + rest.count) < rest.count
      all.append(isNew ? rest.removeFirst() : left.removeFirst())
    }
    return all
  }

  /// Rows that are part of no record arrive after the records, by themselves.
  private func records(_ arrivals: [RowChange], _ size: Int?) throws(InputError) -> [[RowChange]] {
    var random = SplitMix64(seed: seed, stream: 4)
    var rows = tables[0].after.rows
    random.shuffle(&rows)
    let writer = RecordWriter(tables, of: scenario)
    let step = size ?? max(1, rows.count)
    var batches: [Records] = []
    for start in stride(from: 0, to: rows.count, by: step) {
      batches.append(try writer.records(rows[start..<min(start + step, rows.count)]))
    }
    let nested = Set(batches.flatMap(\.rows))
    let alone = arrivals.filter { !nested.contains($0) }
    return batches.map { [.records($0)] } + alone.batches(of: size)
  }

  /// Plain inserts, updates and deletes. An update without fields is a row that was looked up and
  /// needs no change.
  func effects(of batches: [[RowChange]]) -> [[RowChange]] {
    var state = tables.map { table in
      Dictionary(uniqueKeysWithValues: table.before.rows.map { ($0[table.entity.keyIndex], $0) })
    }
    return batches.map { batch in batch.flatMap { effect(of: $0, 0, &state) } }
  }

  private func effect(
    of change: RowChange, _ index: Int, _ state: inout [[Value: Row]]
  ) -> [RowChange] {
    switch change {
    case .of(let other, let change): return effect(of: change, other, &state)
    case .records(let records): return records.rows.flatMap { effect(of: $0, 0, &state) }
    case .deleteWhere:
      return tables[0].before.rows.map { $0[tables[0].entity.keyIndex] }
        .filter { tables[0].after[$0] == nil }.map { .delete(key: $0) }
    case .upsert(let row):
      let key = row[tables[index].entity.keyIndex]
      let old = state[index].updateValue(row, forKey: key)
      guard let old else { return [RowChange.insert(row).of(index)] }
      let fields = old.changedFields(to: row)
      return [RowChange.update(key: key, fields: fields).of(index)]
    case .update(let key, let fields):
      for field in fields { state[index][key]?[field.index] = field.value }
      return [change.of(index)]
    case .insert, .delete: return [change.of(index)]
    }
  }
}
