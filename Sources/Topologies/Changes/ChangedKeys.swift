import ObjectGraph

/// The business keys of existing rows that a batch changes or refers to.
struct ChangedKeys {
  /// In the order of the batch. Without references between rows, keys may repeat.
  private(set) var byEntity: [[Value]]
  private var seen: [Set<Value>]
  private let entities: [RowEntity]
  private let hasReferences: Bool
  private let findsArrivals: Bool

  /// - Parameter findsArrivals: whether arriving rows are looked up.
  init(of changes: [Change], _ entities: [RowEntity], findsArrivals: Bool) {
    self.entities = entities
    self.findsArrivals = findsArrivals
    byEntity = Array(repeating: [], count: entities.count)
    seen = Array(repeating: [], count: entities.count)
    hasReferences = entities.contains { !$0.references.isEmpty }
    for change in changes { add(change) }
  }

  private mutating func add(_ change: Change) {
    let entity = change.entity
    switch change.kind {
    case .insert(let values):
      guard hasReferences else { return }
      seen[entity].insert(values[entities[entity].keyIndex])
      addReferences(of: values, entity)
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
      addReferences(of: values, entity)
    case .deleteWhere: break
    }
  }

  private mutating func addReferences(of values: ContiguousArray<Value>, _ entity: Int) {
    for reference in entities[entity].references {
      add(values[reference.column], of: reference.destination)
    }
  }

  private mutating func add(_ key: Value, of entity: Int) {
    // A stream without references names a row once, so it needs no set of keys.
    guard !key.isNull, !hasReferences || seen[entity].insert(key).inserted else { return }
    byEntity[entity].append(key)
  }
}
