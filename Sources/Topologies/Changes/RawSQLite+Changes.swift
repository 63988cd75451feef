import ObjectGraph
package import SQLiteStore

// From the topology's changes to those of the baseline.

extension RawSQLite.Change {
  package init(_ change: Change) {
    switch change {
    case .insert(let values): self = .insert(values)
    case .update(let key, let fields) where fields.isEmpty: self = .find(key: key)
    case .update(let key, let fields):
      self = .update(key: key, fields.map { ($0.index, $0.value) })
    case .delete(let key): self = .delete(key: key)
    case .of(let entity, let change): self = .of(entity, RawSQLite.Change(change))
    case .upsert(let values): self = .upsert(values)
    case .deleteWhere(let predicate): self = .deleteWhere(predicate)
    case .records: preconditionFailure("records are decoded before they are applied")
    }
  }

  /// The same without looking for whole rows, which a uniqueness constraint finds.
  package var byConstraint: RawSQLite.Change {
    switch self {
    case .upsert(let values): .takeOver(values)
    case .of(let entity, let change): .of(entity, change.byConstraint)
    default: self
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
