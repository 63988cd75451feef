package import DataModel

/// One change of the stream, identified by a business key.
package enum RowChange: Hashable, Sendable {
  case insert(Row)
  /// The changed fields in the order of the attributes, without the key.
  case update(key: Value, fields: [FieldChange])
  case delete(key: Value)
  /// A whole row that arrived, to update by its key or to insert.
  case upsert(Row)
  /// Arrived rows as JSON, to decode.
  case records(Records)
  /// Deletes the rows that match the scenario's predicate.
  case deleteWhere
  /// A change of an entity other than the list's, by its index in ``Workload/tables``.
  indirect case of(Int, RowChange)
}

package struct ChangeCounts: Hashable, Sendable {
  package var inserts = 0
  package var updates = 0
  package var deletes = 0

  package init(inserts: Int = 0, updates: Int = 0, deletes: Int = 0) {
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
  }

  package init(_ changes: some Sequence<RowChange>) {
    for change in changes { count(change) }
  }

  private mutating func count(_ change: RowChange) {
    switch change {
    case .insert: inserts += 1
    case .update(_, let fields): updates += fields.isEmpty ? 0 : 1
    case .delete: deletes += 1
    case .of(_, let change): count(change)
    case .upsert, .records, .deleteWhere:
      preconditionFailure("what arrives is counted by its effects")
    }
  }

  package var total: Int { inserts + updates + deletes }
}

/// Streams between two data sets, before they are cut into batches.
enum ChangeStreams {
  /// Updates and deletes in the order of the rows before, then inserts in the order of the rows
  /// after. Each key occurs once.
  static func difference(from before: DataSet, to after: DataSet, keyIndex: Int) -> [RowChange] {
    var changes: [RowChange] = []
    for row in before.rows {
      let key = row[keyIndex]
      guard let target = after[key] else {
        changes.append(.delete(key: key))
        continue
      }
      let fields = changedFields(from: row, to: target)
      if !fields.isEmpty { changes.append(.update(key: key, fields: fields)) }
    }
    for row in after.rows where before[row[keyIndex]] == nil {
      changes.append(.insert(row))
    }
    return changes
  }

  static func changedFields(from row: Row, to target: Row) -> [FieldChange] {
    var fields: [FieldChange] = []
    for attribute in row.indices where row[attribute] != target[attribute] {
      fields.append(FieldChange(index: attribute, value: target[attribute]))
    }
    return fields
  }

  /// Batches of at most `size` changes, in order; nil for a single batch.
  static func batches(of changes: [RowChange], size: Int?) -> [[RowChange]] {
    guard !changes.isEmpty else { return [] }
    let size = size ?? changes.count
    return stride(from: 0, to: changes.count, by: size).map { start in
      Array(changes[start..<min(start + size, changes.count)])
    }
  }
}
