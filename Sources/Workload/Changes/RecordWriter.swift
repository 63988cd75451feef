import DataModel
package import Foundation

/// A batch as a server sends it, as JSON: rows of the list, with the rows on both ends of their
/// references nested inside. Also holds these rows in the order in which a decoder meets them.
package struct Records: Hashable, Sendable {
  package let json: Data
  /// The rows of the records, as upserts.
  package let rows: [RowChange]
}

struct RecordWriter {
  private struct Children {
    let name: String
    let table: Int
    let reference: Int
    /// The referring rows, by the key of the list's row.
    let rows: [Value: [Row]]
  }

  private let tables: [TableRows]
  private let children: [Children]

  /// - Parameter model: names the inverses of references to the list.
  init(_ tables: [TableRows], _ model: ScenarioModel) {
    self.tables = tables
    let list = tables[0].entity.name
    children = tables.indices.dropFirst().flatMap { index -> [Children] in
      let entity = tables[index].entity
      return entity.references.indices.compactMap { place -> Children? in
        guard entity.references[place].destination == list,
          let name = model.relationship(
            named: entity.references[place].column.name, of: entity.name)?.inverse
        else { return nil }
        let column = entity.attributes.count + place
        let rows = Dictionary(grouping: tables[index].after.rows) { $0[column] }
        return Children(name: name, table: index, reference: place, rows: rows)
      }
    }
  }

  func records(_ rows: some Sequence<Row>) -> Records {
    var changes: [RowChange] = []
    let texts = rows.map { row in
      var members = members(of: row, 0, leavingOut: nil, &changes)
      for children in children {
        let key = row[tables[0].entity.keyIndex]
        let nested = (children.rows[key] ?? []).map { child in
          object(self.members(of: child, children.table, leavingOut: children.reference, &changes))
        }
        members.append(
          "\(ParameterValue.text(children.name).json):[\(nested.joined(separator: ","))]")
      }
      return object(members)
    }
    return Records(json: Data("[\(texts.joined(separator: ","))]".utf8), rows: changes)
  }

  /// Writes the row's members. Notes the rows that it refers to, then the row itself.
  private func members(
    of row: Row, _ table: Int, leavingOut parent: Int?, _ changes: inout [RowChange]
  ) -> [String] {
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
      let nested = object(self.members(of: target, index, leavingOut: nil, &changes))
      members.append("\(ParameterValue.text(reference.column.name).json):\(nested)")
    }
    changes.append(RowChange.upsert(row).of(table))
    return members
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
