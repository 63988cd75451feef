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

  private struct Name: Hashable {
    let entity: Int
    let key: Value
  }

  /// Whose columns of references are null.
  private(set) var inserts: [(entity: Int, rows: [ContiguousArray<Value>])] = []
  private(set) var updates: [Update] = []
  /// What of both leads to other rows.
  private(set) var relations: [Change] = []
  private(set) var deletes: [(entity: Int, keys: [Value])] = []
  private let entities: [RowEntity]
  private var named: Set<Name> = []
  private var places: [Assignment: Int] = [:]

  init(_ entities: [RowEntity]) {
    self.entities = entities
  }

  /// Whether a change of the same row is among them.
  func names(_ change: Change) -> Bool { named.contains(name(of: change)) }

  mutating func add(_ change: Change) {
    named.insert(name(of: change))
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
    case .of: preconditionFailure("a change names its entity once")
    case .upsert, .records, .sweep: preconditionFailure("work of this kind is refused beforehand")
    }
  }

  private func name(of change: Change) -> Name {
    let (entity, change) = change.withEntity
    switch change {
    case .insert(let values): return Name(entity: entity, key: values[entities[entity].keyIndex])
    case .update(let key, _), .delete(let key): return Name(entity: entity, key: key)
    case .of: preconditionFailure("a change names its entity once")
    case .upsert, .records, .sweep: preconditionFailure("work of this kind is refused beforehand")
    }
  }

  private mutating func insert(_ values: ContiguousArray<Value>, of entity: Int) {
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
