import DataModel
import Support

// A referenced row must exist first:
//
//   inserts and updates      destinations first: wards, beds, patients, each shuffled
//   updates of references    deferred ones: to rows that come later, or all (`afterwards`)
//   deletes                  in reverse: patients, beds, wards
//
// The differences of a single entity without references are all shuffled together.

struct RelatedStream {
  private let tables: [TableRows]
  private let order: [Int]
  private let defersAll: Bool
  /// By entity: the rows that changes delete; nil for all that go.
  private let owners: [Set<Value>]?
  private var random: SplitMix64
  /// By entity.
  private var present: [Set<Value>] = []
  private var arrivals: [Change] = []
  private var waiting: [Change] = []

  init(
    _ tables: [TableRows], _ references: ReferenceOrder, owners: [Set<Value>]? = nil, seed: UInt64
  ) {
    self.tables = tables
    self.owners = owners
    order = tables.map(\.entity).destinationsFirst
    defersAll = references == .afterwards
    random = SplitMix64(seed: seed, stream: 1)
  }

  mutating func incremental() -> [Change] {
    guard tables.count == 1, tables[0].entity.references.isEmpty else { return ordered() }
    var changes = tables[0].differences(of: 0)
    random.shuffle(&changes)
    return changes
  }

  private mutating func ordered() -> [Change] {
    var deletes: [Change] = []
    present = tables.map { Set($0.before.keys) }
    for index in order {
      let difference = tables[index].differences(of: index)
      var own = difference.filter { !$0.isDelete }
      random.shuffle(&own)
      for change in own { arrive(change) }
      var gone = difference.filter { isDeleted($0) }
      random.shuffle(&gone)
      deletes = gone + deletes
    }
    random.shuffle(&waiting)
    return arrivals + waiting + deletes
  }

  private func isDeleted(_ change: Change) -> Bool {
    guard case .delete(let key) = change.kind else { return false }
    return owners.map { $0[change.entity].contains(key) } ?? true
  }

  mutating func wholeRows() -> (arrivals: [Change], deletes: [Change]) {
    let changes = ordered()
    let deletes = changes.filter(\.isDelete)
    var seen = tables.map { _ in Set<Value>() }
    let rows = changes.filter { !$0.isDelete }.map { change in
      let index = change.entity
      switch change.kind {
      case .insert(let row):
        seen[index].insert(row[tables[index].entity.keyIndex])
        return Change.upsert(row, of: index)
      // A deferred reference stays an update of a row that has arrived.
      case .update(let key, _) where !seen[index].insert(key).inserted: return change
      case .update(let key, let fields): return .upsert(row(key, fields, index), of: index)
      default: return change
      }
    }
    return (rows, deletes)
  }

  /// Deferred fields keep their old values.
  private func row(_ key: Value, _ fields: [FieldChange], _ index: Int) -> Row {
    var row = tables[index].before[key] ?? []
    for field in fields { row[field.index] = field.value }
    return row
  }

  mutating func replacement() -> (deletes: [Change], inserts: [Change]) {
    var deletes: [Change] = []
    present = tables.map { _ in [] }
    for index in order {
      let keyIndex = tables[index].entity.keyIndex
      deletes =
        tables[index].before.rows.map { .delete(key: $0[keyIndex], of: index) } + deletes
      for row in tables[index].after.rows { arrive(.insert(row, of: index)) }
    }
    return (deletes, arrivals + waiting)
  }

  private mutating func arrive(_ change: Change) {
    let index = change.entity
    let entity = tables[index].entity
    switch change.kind {
    case .insert(let row):
      let late = (entity.attributes.count..<row.count).filter { mustWait(row[$0], $0, entity) }
      var first = row
      for column in late { first[column] = .null }
      arrivals.append(.insert(first, of: index))
      let key = row[entity.keyIndex]
      present[index].insert(key)
      wait(late.map { FieldChange(index: $0, value: row[$0]) }, of: key, index)
    case .update(let key, let fields):
      let late = fields.filter { mustWait($0.value, $0.index, entity) }
      let now = fields.filter { !late.contains($0) }
      if !now.isEmpty { arrivals.append(.update(key: key, fields: now, of: index)) }
      wait(late, of: key, index)
    default: preconditionFailure("only what comes or changes arrives")
    }
  }

  private mutating func wait(_ fields: [FieldChange], of key: Value, _ index: Int) {
    if !fields.isEmpty { waiting.append(.update(key: key, fields: fields, of: index)) }
  }

  /// False for a required relationship: earlier checks made sure that its destination exists.
  private func mustWait(_ value: Value, _ column: Int, _ entity: RowDescription) -> Bool {
    guard column >= entity.attributes.count, value != .null else { return false }
    let reference = entity.references[column - entity.attributes.count]
    guard reference.column.isOptional else { return false }
    guard !defersAll,
      let index = tables.firstIndex(where: { $0.entity.name == reference.destination })
    else { return true }
    return !present[index].contains(value)
  }
}
