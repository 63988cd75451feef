import Foundation
public import ObjectGraph

// A batch as a server sends it. Each record is a row of the list, with related rows nested in it:
//
//   [{"id": 7, "title": "…",
//     "author": {"id": 3, "name": "…"},              a reference: the row itself, not its key
//     "comments": [{"id": 91, "text": "…"}, …]}]     rows that refer to it, by the inverse
//
// In the decoded batch, each row comes before the rows that refer to it.

/// Decodes records by `JSONDecoder`, as an app's importer does.
public struct RecordDecoder: Sendable {
  private let decoder: JSONDecoder

  /// - Parameter entities: the records' entity first.
  public init(_ entities: [RowEntity], in model: Model) {
    decoder = JSONDecoder()
    decoder.userInfo[Self.key] = RecordShape(entities, in: model)
  }

  /// The batch's changes, after an upsert for each row of its records.
  ///
  /// - Throws: `DecodingError`.
  public func changes(of batch: ChangeBatch) throws -> [Change] {
    guard !batch.records.isEmpty else { return batch.changes }
    var changes: [Change] = []
    for data in batch.records {
      changes += try decoder.decode([Record].self, from: data).flatMap(\.changes)
    }
    changes += batch.changes
    return changes
  }

  fileprivate static let key =
    CodingUserInfoKey(rawValue: "shape") ?? { fatalError("the key has no name") }()
}

private struct RecordShape: Sendable {
  let entities: [RowEntity]
  let attributes: [[(column: Int, key: RecordKey, type: AttributeType)]]
  let references: [[(key: RecordKey, reference: RowReference)]]
  /// Rows that refer to the enclosing record.
  let children: [(key: RecordKey, entity: Int, reference: RowReference)]

  init(_ entities: [RowEntity], in model: Model) {
    self.entities = entities
    attributes = entities.map { rows in
      rows.entity.columns.enumerated().compactMap { index, column in
        column.attribute.flatMap {
          $0.isTransient ? nil : (index, RecordKey($0.name), $0.type)
        }
      }
    }
    references = entities.map { rows in
      rows.references.map { (RecordKey(rows.entity.columns[$0.column].name), $0) }
    }
    children = entities.indices.dropFirst().flatMap { index in
      entities[index].references.compactMap { reference in
        guard reference.destination == 0,
          let relationship = model.resolved(entities[index].entity).toOne[reference.column],
          let name = relationship.description.inverse
        else { return nil }
        return (RecordKey(name), index, reference)
      }
    }
  }

  func defaults(of entity: Int) -> ContiguousArray<Value> {
    ContiguousArray(entities[entity].entity.columns.map { $0.attribute?.defaultValue ?? .null })
  }
}

private struct RecordKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private struct Record: Decodable {
  private(set) var changes: [Change] = []

  init(from decoder: any Decoder) throws {
    guard let shape = decoder.userInfo[RecordDecoder.key] as? RecordShape else {
      fatalError("records are decoded by a RecordDecoder")
    }
    let container = try decoder.container(keyedBy: RecordKey.self)
    let key = try append(container, of: 0, shape, leavingOut: nil)
    for children in shape.children where container.contains(children.key) {
      var items = try container.nestedUnkeyedContainer(forKey: children.key)
      while !items.isAtEnd {
        let item = try items.nestedContainer(keyedBy: RecordKey.self)
        _ = try append(
          item, of: children.entity, shape, leavingOut: (children.reference.column, key))
      }
    }
  }

  /// Decodes referenced records before the record itself.
  ///
  /// - Parameter parent: the column that refers to the enclosing record, and that record's key.
  /// - Returns: the record's key.
  private mutating func append(
    _ container: KeyedDecodingContainer<RecordKey>, of entity: Int, _ shape: RecordShape,
    leavingOut parent: (column: Int, key: Value)?
  ) throws -> Value {
    var values = shape.defaults(of: entity)
    for attribute in shape.attributes[entity] where container.contains(attribute.key) {
      values[attribute.column] = try container.value(attribute.type, forKey: attribute.key)
    }
    for reference in shape.references[entity] {
      let (key, column) = (reference.key, reference.reference.column)
      if let parent, parent.column == column {
        values[column] = parent.key
      } else if container.contains(key), try !container.decodeNil(forKey: key) {
        let nested = try container.nestedContainer(keyedBy: RecordKey.self, forKey: key)
        values[column] = try append(
          nested, of: reference.reference.destination, shape, leavingOut: nil)
      }
    }
    changes.append(.upsert(values, of: entity))
    return values[shape.entities[entity].keyIndex]
  }
}

extension KeyedDecodingContainer<RecordKey> {
  /// Dates are seconds since 2001-01-01 00:00 UTC; data are base64.
  fileprivate func value(_ type: AttributeType, forKey key: Key) throws -> Value {
    guard try !decodeNil(forKey: key) else { return .null }
    return switch type {
    case .int64: .int64(try decode(Int64.self, forKey: key))
    case .double: .double(try decode(Double.self, forKey: key))
    case .bool: .bool(try decode(Bool.self, forKey: key))
    case .string: .string(try decode(String.self, forKey: key))
    case .date:
      .date(Date(timeIntervalSinceReferenceDate: try decode(Double.self, forKey: key)))
    case .data: .data(try decode(Data.self, forKey: key))
    case .decimal: .decimal(try decode(Decimal.self, forKey: key))
    case .uuid: .uuid(try decode(UUID.self, forKey: key))
    case .uri: try decode(URL.self, forKey: key).value
    }
  }
}
