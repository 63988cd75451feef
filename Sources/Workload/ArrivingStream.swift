import Support

// Rows as they come from elsewhere, whole, without a word on what is new:
//
//   rows      every row that is new or different, found by its key and updated, or inserted
//   json      every row of the list, with what it refers to and what refers to it, as nested records
//   then      what is no longer there is deleted, by key, or by a sweep over what is left
//
// Who measures what that costs at best needs to know what it comes to: the effects.

import DataModel

/// What arrives, in batches, and the plain changes that it comes to.
struct ArrivingStream {
  private let tables: [TableRows]
  private let scenario: Scenario
  private let seed: UInt64

  init(_ tables: [TableRows], _ scenario: Scenario, seed: UInt64) {
    self.tables = tables
    self.scenario = scenario
    self.seed = seed
  }

  func batches() -> [[RowChange]] {
    var stream = RelatedStream(tables, scenario.changes.references, seed: seed)
    let (arrivals, deletes) = stream.wholeRows()
    let size = scenario.changes.perSave
    let arriving =
      scenario.changes.arriveAsJSON
      ? records(arrivals, size) : ChangeStreams.batches(of: arrivals, size: size)
    guard scenario.changes.deleteWhere != nil else {
      return arriving + ChangeStreams.batches(of: deletes, size: size)
    }
    let others = deletes.filter { if case .of = $0 { true } else { false } }
    return arriving + ChangeStreams.batches(of: others, size: size) + [[.deleteWhere]]
  }

  /// Rows in no record come by themselves, after.
  private func records(_ arrivals: [RowChange], _ size: Int?) -> [[RowChange]] {
    var random = SplitMix64(seed: seed, stream: 4)
    var rows = tables[0].after.rows
    random.shuffle(&rows)
    let writer = RecordWriter(tables, scenario.model)
    let step = size ?? max(1, rows.count)
    let batches = stride(from: 0, to: rows.count, by: step).map { start in
      writer.records(rows[start..<min(start + step, rows.count)])
    }
    let nested = Set(batches.flatMap(\.rows))
    let alone = arrivals.filter { !nested.contains($0) }
    return batches.map { [.records($0)] } + ChangeStreams.batches(of: alone, size: size)
  }

  /// What the batches come to, as plain inserts, updates and deletes; an update of no field is a row
  /// that was looked for and is as it should be.
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
      let fields = ChangeStreams.changedFields(from: old, to: row)
      return [RowChange.update(key: key, fields: fields).of(index)]
    case .update(let key, let fields):
      for field in fields { state[index][key]?[field.index] = field.value }
      return [change.of(index)]
    case .insert, .delete: return [change.of(index)]
    }
  }
}
