public import ObjectGraph

/// The business keys of the existing rows that a batch needs: rows that it changes, and rows that
/// its references name. Rows that the batch inserts are left out.
public struct ChangedKeys: Sendable {
  /// By the place of the entity, in the order of the batch. A key stands in it once where rows
  /// refer to others; without references, as often as the batch names it.
  public private(set) var byEntity: [[Value]]
  private var seen: [Set<Value>]
  private let entities: [RowEntity]
  private let hasReferences: Bool
  private let findsArrivals: Bool

  /// - Parameters:
  ///   - entities: those that the changes name by their places.
  ///   - findsArrivals: whether rows that arrive whole are looked for.
  /// - Precondition: no change is of records; they are decoded first.
  public init(of batch: [Change], _ entities: [RowEntity], findsArrivals: Bool = true) {
    self.entities = entities
    self.findsArrivals = findsArrivals
    byEntity = Array(repeating: [], count: entities.count)
    seen = Array(repeating: [], count: entities.count)
    hasReferences = entities.contains { !$0.references.isEmpty }
    for change in batch { add(change, of: 0) }
  }

  private mutating func add(_ change: Change, of entity: Int) {
    switch change {
    case .insert(let values):
      guard hasReferences else { return }
      seen[entity].insert(values[entities[entity].keyIndex])
      for reference in entities[entity].references {
        add(values[reference.column], of: reference.destination)
      }
    case .update(let key, let fields):
      add(key, of: entity)
      for reference in entities[entity].references {
        for field in fields where field.index == reference.column {
          add(field.value, of: reference.destination)
        }
      }
    case .delete(let key): add(key, of: entity)
    case .upsert(let values):
      let key = values[entities[entity].keyIndex]
      if findsArrivals { add(key, of: entity) } else { seen[entity].insert(key) }
      for reference in entities[entity].references {
        add(values[reference.column], of: reference.destination)
      }
    case .deleteWhere: break
    case .records: preconditionFailure("records are decoded before their keys are known")
    case .of(let other, let change): add(change, of: other)
    }
  }

  private mutating func add(_ key: Value, of entity: Int) {
    // A stream without references names a row once, and a set of all keys would be for nothing.
    guard !key.isNull, !hasReferences || seen[entity].insert(key).inserted else { return }
    byEntity[entity].append(key)
  }
}
