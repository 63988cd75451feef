import DataModel
import Support

// The model's older version, made from the current one and `store.changes_since`:
//
//   current   Item: number · title · note? · priority = 0          Folder
//   changes         renamed: title, from name   added: note   required: priority   added: Folder
//   older     Item: number · name · priority?
//
// The rows before the changes fit both. An added column holds its default in each. A required one
// that holds its default was null.

/// The model and the rows of a store before the current version.
package struct OlderVersion: Sendable {
  package struct Table: Sendable {
    package let rows: RowDescription
    /// The current columns that it has, in its order.
    fileprivate let kept: [Int]
    /// By current column: the value that stands for an older null.
    fileprivate let nulls: [Int: Value]

    package func row(_ row: Row) -> Row {
      Row(kept.map { nulls[$0] == row[$0] ? .null : row[$0] })
    }
  }

  package let model: ScenarioModel
  /// By the entity's index; nil for an added entity.
  package private(set) var tables: [Table?] = []
  /// By the entity's index, then by added column: the value in every older row.
  private var added: [[Int: Value]] = []
}

extension OlderVersion {
  /// Nil without changes. Gives the current model its renaming identifiers.
  init?(
    _ values: FieldValues, _ current: inout ScenarioModel, _ entities: [RowDescription]
  ) throws(InputError) {
    let changes = ModelChange.all(values)
    guard !changes.isEmpty else { return nil }
    try ModelChangeCheck(values: values, model: current, entities: entities).check(changes)
    model = current.older(than: changes)
    for entity in entities {
      let lineage = current.entity(named: entity.name).map(current.lineage) ?? []
      let own = changes.filter { change in lineage.contains { $0.name == change.entity } }
      let attributes = lineage.flatMap(\.attributes)
      func defaults(_ kind: ModelChange.Kind) -> [Int: Value] {
        let columns = entity.attributes.indices.filter { index in
          own.contains { $0.kind == kind && $0.attribute == entity.attributes[index].name }
        }
        return Dictionary(
          uniqueKeysWithValues: columns.map { index in
            let declared = attributes.first { $0.name == entity.attributes[index].name }
            return (index, declared?.defaultValue ?? .null)
          })
      }
      let new = defaults(.added)
      added.append(new)
      tables.append(
        Table(entity, in: model, own, without: Set(new.keys), nulls: defaults(.required)))
    }
    current.rename(by: changes)
  }

  /// Puts defaults where the older version had no value, and in one of eight generated rows where
  /// it may have had null.
  func adapt(_ tables: inout [TableRows], of scenario: Scenario) throws(InputError) {
    for index in tables.indices {
      guard let table = self.tables[index] else {
        try tables[index].requireNone(scenario)
        continue
      }
      guard let seed = scenario.generation?.seed else {
        try tables[index].check(added[index], scenario.path(ofTable: index))
        continue
      }
      for (column, value) in added[index] { tables[index].set(column, to: value) { _ in true } }
      for (column, value) in table.nulls {
        tables[index].set(column, to: value) { number in
          let stream = UInt64(1 + column) << 44 + UInt64(number)
          var random = SplitMix64(seed: UInt64(seed), stream: stream)
          return random.next(below: 8) == 0
        }
      }
    }
  }
}

extension OlderVersion.Table {
  /// Nil for an added entity.
  fileprivate init?(
    _ entity: RowDescription, in model: ScenarioModel, _ changes: [ModelChange],
    without new: Set<Int>, nulls: [Int: Value]
  ) {
    guard model.entity(named: entity.name) != nil else { return nil }
    let attributes = entity.attributes.indices.filter { !new.contains($0) }
    let references = entity.references.indices.filter {
      model.entity(named: entity.references[$0].destination) != nil
    }
    kept = attributes + references.map { entity.attributes.count + $0 }
    self.nulls = nulls
    rows = RowDescription(
      name: entity.name,
      attributes: attributes.map { entity.attributes[$0].older(than: changes) },
      keyIndex: attributes.firstIndex(of: entity.keyIndex) ?? 0,
      references: references.map { entity.references[$0] })
  }
}

extension TableRows {
  /// Changes rows before, and the rows after that hold the same value.
  fileprivate mutating func set(
    _ column: Int, to value: Value, where isChosen: (_ number: Int) -> Bool
  ) {
    var (older, newer) = (before.rows, after.rows)
    for number in older.indices where isChosen(number) {
      let old = older[number][column]
      older[number][column] = value
      guard let index = after.index(of: older[number][entity.keyIndex]) else { continue }
      if newer[index][column] == old {
        newer[index][column] = value
      } else if newer[index][column] == value {
        newer[index][column] = value.stepped(1, entity.attributes[column].type)
      }
    }
    before = DataSet(rows: older, keyIndex: entity.keyIndex)
    after = DataSet(rows: newer, keyIndex: entity.keyIndex)
  }

  fileprivate func check(_ added: [Int: Value], _ file: String) throws(InputError) {
    for (column, value) in added.sorted(by: { $0.key < $1.key }) {
      guard let wrong = before.rows.firstIndex(where: { $0[column] != value }) else { continue }
      throw InputError(
        .file(file, line: before.line(ofRow: wrong)), field: entity.columns[column].name,
        "the older version has no such attribute, so the row must hold "
          + (value == .null ? "nothing" : "the default"))
    }
  }

  /// The older version has no rows of an added entity.
  fileprivate func requireNone(_ scenario: Scenario) throws(InputError) {
    guard !before.rows.isEmpty else { return }
    throw scenario.error(
      ModelChange.path,
      message: "\(entity.name.quoted) is added, so it must have no rows before the changes")
  }
}

extension Scenario {
  fileprivate func path(ofTable index: Int) -> String {
    index == 0 ? data.before : others[index - 1].before
  }
}
