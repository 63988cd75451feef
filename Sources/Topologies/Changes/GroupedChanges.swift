import ObjectGraph

/// Changes of different rows, by what they do; entities in the order in which they came.
struct GroupedChanges {
  struct Update {
    let entity: Int
    let fields: [FieldChange]
    var keys: [Value]
  }

  /// The same new values, of one entity.
  private struct Assignment: Hashable {
    let entity: Int
    let fields: [FieldChange]
  }

  /// Whose columns of references are null.
  private(set) var inserts: [(entity: Int, rows: [ContiguousArray<Value>])] = []
  private(set) var updates: [Update] = []
  /// Updates to relationships, and whole rows to set; applied after all inserts.
  private(set) var relations: [Change] = []
  private(set) var deletes: [(entity: Int, keys: [Value])] = []
  /// Whole rows of which it is not known whether they are there; each is to be inserted or set.
  private(set) var arrivals: [(entity: Int, rows: [ContiguousArray<Value>])] = []
  /// At most one, which is then alone.
  private(set) var predicateDeletions: [(entity: Int, predicate: FetchPredicate)] = []
  private let entities: [RowEntity]
  private var named: Set<RowName> = []
  private var places: [Assignment: Int] = [:]

  init(_ entities: [RowEntity]) {
    self.entities = entities
  }

  /// Whether a change of the same row is among them, or may be.
  func names(_ change: Change) -> Bool {
    guard predicateDeletions.isEmpty, let name = entities.name(of: change) else { return true }
    return named.contains(name)
  }

  mutating func add(_ change: Change) {
    if let name = entities.name(of: change) { named.insert(name) }
    let (entity, change) = change.withEntity
    switch change {
    case .insert(let values): insert(values, of: entity)
    case .update(let key, let fields): update(key, fields, of: entity)
    case .delete(let key):
      if let place = deletes.firstIndex(where: { $0.entity == entity }) {
        deletes[place].keys.append(key)
      } else {
        deletes.append((entity, [key]))
      }
    case .upsert(let values):
      if let place = arrivals.firstIndex(where: { $0.entity == entity }) {
        arrivals[place].rows.append(values)
      } else {
        arrivals.append((entity, [values]))
      }
    case .deleteWhere(let predicate): predicateDeletions.append((entity, predicate))
    case .of: preconditionFailure("a change names its entity once")
    case .records: preconditionFailure("records are decoded before they are applied")
    }
  }

  /// A whole row that is there, to be set where it differs.
  mutating func set(_ values: ContiguousArray<Value>, of entity: Int) {
    relations.append(.of(entity, .upsert(values)))
  }

  /// A whole row that is not there.
  mutating func insert(_ values: ContiguousArray<Value>, of entity: Int) {
    var row = values
    var leading: [FieldChange] = []
    for reference in entities[entity].references where !values[reference.column].isNull {
      leading.append(FieldChange(index: reference.column, value: values[reference.column]))
      row[reference.column] = .null
    }
    relate(values[entities[entity].keyIndex], leading, of: entity)
    if let place = inserts.firstIndex(where: { $0.entity == entity }) {
      inserts[place].rows.append(row)
    } else {
      inserts.append((entity, [row]))
    }
  }

  private mutating func update(_ key: Value, _ fields: [FieldChange], of entity: Int) {
    let columns = Set(entities[entity].references.map(\.column))
    relate(key, fields.filter { columns.contains($0.index) }, of: entity)
    let own = fields.filter { !columns.contains($0.index) }
    guard !own.isEmpty else { return }
    let assignment = Assignment(entity: entity, fields: own)
    if let place = places[assignment] {
      updates[place].keys.append(key)
    } else {
      places[assignment] = updates.count
      updates.append(Update(entity: entity, fields: own, keys: [key]))
    }
  }

  private mutating func relate(_ key: Value, _ fields: [FieldChange], of entity: Int) {
    guard !fields.isEmpty else { return }
    relations.append(.of(entity, .update(key: key, fields: fields)))
  }
}

extension [RowEntity] {
  /// The row that a change is of; nil of a deletion by predicate.
  func name(of change: Change) -> RowName? {
    let (entity, change) = change.withEntity
    switch change {
    case .insert(let values), .upsert(let values):
      return RowName(self[entity], values[self[entity].keyIndex])
    case .update(let key, _), .delete(let key): return RowName(self[entity], key)
    case .deleteWhere: return nil
    case .of: preconditionFailure("a change names its entity once")
    case .records: preconditionFailure("records are decoded before they are applied")
    }
  }

  /// The batch without rows that arrive again as they did before: a record comes nested in each
  /// that names it.
  func withoutRepeats(_ batch: [Change]) -> [Change] {
    guard batch.contains(where: \.isUpsert) else { return batch }
    var arrived: [RowName: ContiguousArray<Value>] = [:]
    return batch.filter { change in
      guard let name = name(of: change), case .upsert(let values) = change.withEntity.change
      else {
        arrived.removeAll()
        return true
      }
      return arrived.updateValue(values, forKey: name) != values
    }
  }
}
