import Support

// The stream of rows that refer to one another. A referenced row must exist first:
//
//   inserts and updates      destinations first: wards, beds, patients, each shuffled
//   updates of references    deferred ones: to rows that come later, or all (`afterwards`)
//   deletes                  the other way round: patients, beds, wards
//
// A single entity without references has the plain streams of `ChangeStreams`.

import DataModel

/// Changes of several entities, each after the rows it refers to.
struct RelatedStream {
  private let tables: [TableRows]
  private let order: [Int]
  private let defersAll: Bool
  private var random: SplitMix64
  /// The keys of the rows that exist so far, by entity.
  private var present: [Set<Value>]
  private var arrivals: [RowChange] = []
  private var waiting: [RowChange] = []

  init(_ tables: [TableRows], _ references: ReferenceOrder, seed: UInt64) {
    self.tables = tables
    order = Self.order(tables.map(\.entity))
    defersAll = references == .afterwards
    random = SplitMix64(seed: seed, stream: 1)
    present = tables.map { Set($0.before.keys) }
  }

  static func isNeeded(for tables: [TableRows]) -> Bool {
    tables.count > 1 || tables.contains { !$0.entity.references.isEmpty }
  }

  /// The differences between the rows before and after.
  mutating func incremental() -> [RowChange] {
    var deletes: [RowChange] = []
    for index in order {
      let table = tables[index]
      let difference = ChangeStreams.difference(
        from: table.before, to: table.after, keyIndex: table.entity.keyIndex)
      var own = difference.filter { !$0.isDelete }
      random.shuffle(&own)
      for change in own { arrive(change, of: index) }
      var gone = difference.filter(\.isDelete).map { $0.of(index) }
      random.shuffle(&gone)
      deletes = gone + deletes
    }
    random.shuffle(&waiting)
    return arrivals + waiting + deletes
  }

  /// New and different rows as whole rows, and the deletes.
  mutating func wholeRows() -> (arrivals: [RowChange], deletes: [RowChange]) {
    let changes = incremental()
    let deletes = changes.filter(\.isDeleteOfAny)
    var seen = tables.map { _ in Set<Value>() }
    let rows = changes.filter { !$0.isDeleteOfAny }.map { change in
      var (index, plain) = (0, change)
      if case .of(let other, let inner) = change { (index, plain) = (other, inner) }
      switch plain {
      case .insert(let row):
        seen[index].insert(row[tables[index].entity.keyIndex])
        return RowChange.upsert(row).of(index)
      // A deferred reference stays an update of a row that has arrived.
      case .update(let key, _) where !seen[index].insert(key).inserted: return change
      case .update(let key, let fields): return .upsert(row(key, fields, index)).of(index)
      default: return change
      }
    }
    return (rows, deletes)
  }

  /// The row before the changes, with these fields set. Deferred fields keep their old values.
  private func row(_ key: Value, _ fields: [FieldChange], _ index: Int) -> Row {
    var row = tables[index].before[key] ?? []
    for field in fields { row[field.index] = field.value }
    return row
  }

  /// Deletes of every row before, and inserts of every row after.
  mutating func replacement() -> (deletes: [RowChange], inserts: [RowChange]) {
    var deletes: [RowChange] = []
    present = tables.map { _ in [] }
    for index in order {
      let keyIndex = tables[index].entity.keyIndex
      deletes =
        tables[index].before.rows.map { RowChange.delete(key: $0[keyIndex]).of(index) } + deletes
      for row in tables[index].after.rows { arrive(.insert(row), of: index) }
    }
    return (deletes, arrivals + waiting)
  }

  private mutating func arrive(_ change: RowChange, of index: Int) {
    let entity = tables[index].entity
    switch change {
    case .insert(let row):
      let late = (entity.attributes.count..<row.count).filter { mustWait(row[$0], $0, entity) }
      var first = row
      for column in late { first[column] = .null }
      arrivals.append(.insert(first).of(index))
      let key = row[entity.keyIndex]
      present[index].insert(key)
      wait(late.map { FieldChange(index: $0, value: row[$0]) }, of: key, index)
    case .update(let key, let fields):
      let late = fields.filter { mustWait($0.value, $0.index, entity) }
      let now = fields.filter { !late.contains($0) }
      if !now.isEmpty { arrivals.append(.update(key: key, fields: now).of(index)) }
      wait(late, of: key, index)
    default: preconditionFailure("only what comes or changes arrives")
    }
  }

  private mutating func wait(_ fields: [FieldChange], of key: Value, _ index: Int) {
    if !fields.isEmpty { waiting.append(.update(key: key, fields: fields).of(index)) }
  }

  /// Whether a reference must be set later. A required relationship never is: earlier checks made
  /// sure that its destination exists.
  private func mustWait(_ value: Value, _ column: Int, _ entity: RowDescription) -> Bool {
    let place = column - entity.attributes.count
    guard place >= 0, value != .null, entity.references[place].column.isOptional else {
      return false
    }
    let destination = entity.references[place].destination
    guard !defersAll, let index = tables.firstIndex(where: { $0.entity.name == destination })
    else { return true }
    return !present[index].contains(value)
  }

  /// The entities' indexes, destinations before the entities that refer to them. The file's order
  /// decides ties and circles.
  static func order(_ entities: [RowDescription]) -> [Int] {
    var order: [Int] = []
    while order.count < entities.count {
      let left = entities.indices.filter { !order.contains($0) }
      let free = left.first { index in
        entities[index].references.allSatisfy { reference in
          !left.contains { $0 != index && entities[$0].name == reference.destination }
        }
      }
      order.append(free ?? left[0])
    }
    return order
  }
}

extension RowChange {
  var isDelete: Bool {
    if case .delete = self { true } else { false }
  }

  var isDeleteOfAny: Bool {
    if case .of(_, let change) = self { change.isDelete } else { isDelete }
  }

  /// The change with its entity's index; without one for the list's entity.
  func of(_ index: Int) -> RowChange { index == 0 ? self : .of(index, self) }
}
