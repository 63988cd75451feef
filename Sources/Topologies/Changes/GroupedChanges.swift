import ObjectGraph

/// Changes of different rows, by kind.
struct GroupedChanges {
  struct Assignment: Hashable {
    let entity: Int
    let fields: [FieldChange]
  }

  /// New rows. Their reference columns are null.
  private(set) var inserts: [(entity: Int, elements: [ContiguousArray<Value>])] = []
  private(set) var updates: [(assignment: Assignment, keys: [Value])] = []
  /// Updates to relationships, and whole rows to set; applied after all inserts.
  private(set) var relations: [Change] = []
  private(set) var deletes: [(entity: Int, elements: [Value])] = []
  /// Whole rows to insert or to update.
  private(set) var arrivals: [(entity: Int, elements: [ContiguousArray<Value>])] = []
  /// The entity whose rows a predicate deletes. The group holds no other changes then.
  private(set) var predicateDeletion: RowEntity?
  private let entities: [RowEntity]
  private var named: Set<RowName> = []
  private var indexes: [Assignment: Int] = [:]

  init(_ entities: [RowEntity]) {
    self.entities = entities
  }

  /// Whether the group may already change the row of `change`.
  func names(_ change: Change) -> Bool {
    guard predicateDeletion == nil, let name = entities.name(of: change) else { return true }
    return named.contains(name)
  }

  mutating func add(_ change: Change) {
    if let name = entities.name(of: change) { named.insert(name) }
    let entity = change.entity
    switch change.kind {
    case .insert(let values): insert(values, of: entity)
    case .update(let key, let fields): update(key, fields, of: entity)
    case .delete(let key): Self.append(key, of: entity, to: &deletes)
    case .upsert(let values): Self.append(values, of: entity, to: &arrivals)
    case .deleteWhere: predicateDeletion = entities[entity]
    }
  }

  private static func append<Element>(
    _ element: Element, of entity: Int, to groups: inout [(entity: Int, elements: [Element])]
  ) {
    if let index = groups.firstIndex(where: { $0.entity == entity }) {
      groups[index].elements.append(element)
    } else {
      groups.append((entity, [element]))
    }
  }

  /// Updates an existing row where it differs.
  mutating func set(_ values: ContiguousArray<Value>, of entity: Int) {
    relations.append(.upsert(values, of: entity))
  }

  mutating func insert(_ values: ContiguousArray<Value>, of entity: Int) {
    var row = values
    var leading: [FieldChange] = []
    for reference in entities[entity].references where !values[reference.column].isNull {
      leading.append(FieldChange(index: reference.column, value: values[reference.column]))
      row[reference.column] = .null
    }
    relate(values[entities[entity].keyIndex], leading, of: entity)
    Self.append(row, of: entity, to: &inserts)
  }

  private mutating func update(_ key: Value, _ fields: [FieldChange], of entity: Int) {
    let columns = Set(entities[entity].references.map(\.column))
    relate(key, fields.filter { columns.contains($0.index) }, of: entity)
    let own = fields.filter { !columns.contains($0.index) }
    guard !own.isEmpty else { return }
    let assignment = Assignment(entity: entity, fields: own)
    if let index = indexes[assignment] {
      updates[index].keys.append(key)
    } else {
      indexes[assignment] = updates.count
      updates.append((assignment, [key]))
    }
  }

  private mutating func relate(_ key: Value, _ fields: [FieldChange], of entity: Int) {
    guard !fields.isEmpty else { return }
    relations.append(.update(key: key, fields: fields, of: entity))
  }
}

extension [RowEntity] {
  /// The row that a change names; nil for a deletion by predicate.
  func name(of change: Change) -> RowName? {
    let rows = self[change.entity]
    return change.key(at: rows.keyIndex).map { RowName(rows, $0) }
  }

  /// Drops rows that arrive again unchanged: a record is nested in each record that names it.
  func withoutRepeats(_ changes: [Change]) -> [Change] {
    guard changes.contains(where: \.isUpsert) else { return changes }
    var arrived: [RowName: ContiguousArray<Value>] = [:]
    return changes.filter { change in
      guard let name = name(of: change), case .upsert(let values) = change.kind else {
        arrived.removeAll()
        return true
      }
      return arrived.updateValue(values, forKey: name) != values
    }
  }
}
