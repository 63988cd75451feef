import DataModel
import Foundation
import Support

struct RecordWriter {
  private struct Children {
    let name: String
    let table: Int
    let reference: Int
    /// By the key of the list's row.
    let rows: [Value: [Row]]
  }

  /// Decoders of JSON stop at about 512 nested records.
  private static let deepest = 500

  private let tables: [TableRows]
  private let scenario: Scenario
  private let children: [Children]

  init(_ tables: [TableRows], of scenario: Scenario) {
    self.tables = tables
    self.scenario = scenario
    let list = tables[0].entity.name
    children = tables.indices.dropFirst().flatMap { index -> [Children] in
      let entity = tables[index].entity
      return entity.references.indices.compactMap { place -> Children? in
        guard entity.references[place].destination == list,
          let name = scenario.model.relationship(
            named: entity.references[place].column.name, of: entity.name)?.inverse
        else { return nil }
        let column = entity.attributes.count + place
        let rows = Dictionary(grouping: tables[index].after.rows) { $0[column] }
        return Children(name: name, table: index, reference: place, rows: rows)
      }
    }
  }

  /// - Throws: an error if rows refer to one another in a circle, or in too long a chain.
  func records(_ rows: some Sequence<Row>) throws(InputError) -> Arrivals {
    var changes: [Change] = []
    var texts: [String] = []
    for row in rows {
      var members = try self.members(of: row, 0, leavingOut: nil, &changes)
      for children in children {
        var nested: [String] = []
        for child in children.rows[row[tables[0].entity.keyIndex]] ?? [] {
          let members = try self.members(
            of: child, children.table, leavingOut: children.reference, &changes)
          nested.append(object(members))
        }
        members.append(
          "\(ParameterValue.text(children.name).json):[\(nested.joined(separator: ","))]")
      }
      texts.append(object(members))
    }
    let json = Data("[\(texts.joined(separator: ","))]".utf8)
    return Arrivals(batch: ChangeBatch(records: [json]), recordRows: changes)
  }

  /// Appends the rows that this row refers to, then the row itself, to `changes`.
  ///
  /// - Parameter depth: the number of records around it.
  private func members(
    of row: Row, _ table: Int, leavingOut parent: Int?, depth: Int = 0,
    _ changes: inout [Change]
  ) throws(InputError) -> [String] {
    let entity = tables[table].entity
    var members: [String] = []
    for (attribute, value) in zip(entity.attributes, row) {
      members.append("\(ParameterValue.text(attribute.name).json):\(json(value))")
    }
    for (place, reference) in entity.references.enumerated() where place != parent {
      let key = row[entity.attributes.count + place]
      guard let index = tables.firstIndex(where: { $0.entity.name == reference.destination }),
        let target = tables[index].after[key]
      else { continue }
      guard depth < Self.deepest || tables[index].entity.references.isEmpty else {
        throw tooDeep(row, table, reference)
      }
      let nested = try self.members(of: target, index, leavingOut: nil, depth: depth + 1, &changes)
      members.append("\(ParameterValue.text(reference.column.name).json):\(object(nested))")
    }
    changes.append(.upsert(row, of: table))
    return members
  }

  private func tooDeep(_ row: Row, _ table: Int, _ reference: Reference) -> InputError {
    let problem =
      "changes.format json cannot nest rows that refer to one another in a circle, or in a chain of"
      + " over \(Self.deepest)"
    guard scenario.generation == nil else {
      return scenario.error(
        "changes.format",
        message: "\(problem): rows of \(tables[table].entity.name) by '\(reference.column.name)'")
    }
    let rows = tables[table].after
    let index = rows.index(of: row[tables[table].entity.keyIndex])
    let file = table == 0 ? scenario.data.after : scenario.others[table - 1].after
    return InputError(
      .file(file, line: index.flatMap(rows.line(ofRow:))), field: reference.column.name, problem)
  }

  private func object(_ members: [String]) -> String { "{\(members.joined(separator: ","))}" }

  private func json(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let value): "\(value.timeIntervalSinceReferenceDate)"
    case .bool(let value): "\(value)"
    case .string(let text): ParameterValue.text(text).json
    case .decimal(let value): "\(value.decimal)"
    case .uuid(let value): ParameterValue.text("\(value)").json
    case .uri(let text): ParameterValue.text(text).json
    case .data(let data): ParameterValue.text(data.base64EncodedString()).json
    case .object: preconditionFailure("a data file holds no object IDs")
    }
  }
}
