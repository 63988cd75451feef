package import SQLiteStore

// From the seam's changes to the ruler's.

extension RawSQLite.Change {
  package init(_ change: Change) {
    switch change {
    case .insert(let values): self = .insert(values)
    case .update(let key, let fields) where fields.isEmpty: self = .find(key: key)
    case .update(let key, let fields):
      self = .update(key: key, fields.map { ($0.index, $0.value) })
    case .delete(let key): self = .delete(key: key)
    case .of(let entity, let change): self = .of(entity, RawSQLite.Change(change))
    case .upsert, .records, .sweep:
      preconditionFailure("plain SQL takes inserts, updates and deletes by key only")
    }
  }
}

extension RawSQLite.Rows {
  package init(_ rows: RowEntity) {
    self.init(
      rows.entity, key: rows.keyIndex,
      references: rows.references.map { ($0.column, $0.destination) })
  }
}
