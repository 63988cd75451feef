import Foundation
import ObjectGraph

/// The parts of a model that a store's layout depends on, and its tables and columns. The store's
/// metadata holds it as JSON, where Core Data holds hashes. It is as exact, and enough to migrate
/// from.
struct StoredModel: Codable, Equatable, Sendable {
  struct Property: Codable, Equatable, Sendable {
    enum Kind: String, Codable {
      case attribute, toOne, toMany
    }

    let name: String
    /// Matches the property with one of a newer model.
    let identifier: String
    let kind: Kind
    /// For attributes.
    let type: String?
    let isIndexed: Bool
    let isTransient: Bool
    /// For relationships.
    let destination: String?
    let inverse: String?
    let isOptional: Bool
    /// The unquoted column, and a second one for the target's entity number if targets are of
    /// several entities.
    let column: String?
    let kindColumn: String?
  }

  struct Entity: Codable, Equatable, Sendable {
    let name: String
    /// Matches the entity with one of a newer model.
    let identifier: String
    let parent: String?
    let isAbstract: Bool
    /// The unquoted table of the hierarchy.
    let table: String
    /// Without inherited properties.
    let properties: [Property]
    let constraints: [[String]]
  }

  struct Pairs: Codable, Equatable, Sendable {
    struct End: Codable, Equatable, Sendable {
      let entity: String
      let relationship: String
      /// The column with the entity's keys.
      let column: String
    }

    let table: String
    let ends: [End]
  }

  /// In the order of their numbers, from 1.
  let entities: [Entity]
  let pairs: [Pairs]

  init(_ schema: Schema) {
    entities = schema.tables.map { Entity($0, in: schema) }
    pairs = schema.pairTables.map { table in
      let ends = table.ends.map { end in
        Pairs.End(
          entity: schema.model.entities[end.entity].name, relationship: end.relationship,
          column: end.column)
      }
      return Pairs(table: table.name, ends: ends)
    }
  }

  /// - Throws: `DecodingError` if the text is no stored model.
  init(json: String) throws {
    self = try JSONDecoder().decode(StoredModel.self, from: Data(json.utf8))
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Whether both models have the same layout and validation.
  func isCompatible(with other: StoredModel) -> Bool {
    withoutIdentifiers == other.withoutIdentifiers
  }

  /// The model without the identifiers that only migration uses.
  private var withoutIdentifiers: StoredModel {
    StoredModel(entities: entities.map(\.withoutIdentifiers), pairs: pairs)
  }

  private init(entities: [Entity], pairs: [Pairs]) {
    self.entities = entities
    self.pairs = pairs
  }
}

extension StoredModel.Entity {
  fileprivate init(_ table: EntityTable, in schema: Schema) {
    let entity = table.entity
    let parent = entity.parent
    let inherited = (parent?.columns.count ?? 0, parent?.toManyRelationships.count ?? 0)
    let columns = zip(entity.columns, table.layouts).dropFirst(inherited.0)
    self.init(
      name: entity.name, identifier: entity.renamingIdentifier ?? entity.name,
      parent: parent?.name, isAbstract: entity.isAbstract, table: table.name,
      properties: columns.map { StoredModel.Property($0, $1) }
        + entity.toManyRelationships.dropFirst(inherited.1).map {
          StoredModel.Property($0, .toMany, nil)
        },
      constraints: Array(
        entity.uniquenessConstraints.dropFirst(parent?.uniquenessConstraints.count ?? 0)))
  }

  fileprivate var withoutIdentifiers: StoredModel.Entity {
    StoredModel.Entity(
      name: name, identifier: "", parent: parent, isAbstract: isAbstract, table: table,
      properties: properties.map(\.withoutIdentifiers), constraints: constraints)
  }
}

extension StoredModel.Property {
  fileprivate init(_ column: Column, _ layout: ColumnLayout) {
    switch column {
    case .toOne(let relationship): self.init(relationship, .toOne, layout)
    case .attribute(let attribute):
      self.init(
        name: attribute.name, identifier: attribute.renamingIdentifier ?? attribute.name,
        kind: .attribute, type: attribute.type.rawValue,
        isIndexed: attribute.isIndexed && !attribute.isTransient,
        isTransient: attribute.isTransient, destination: nil, inverse: nil,
        isOptional: attribute.isOptional, column: layout.stored.first?.name, kindColumn: nil)
    }
  }

  fileprivate init(
    _ relationship: RelationshipDescription, _ kind: Kind, _ layout: ColumnLayout?
  ) {
    let columns = layout?.stored.map(\.name) ?? []
    self.init(
      name: relationship.name,
      identifier: relationship.renamingIdentifier ?? relationship.name, kind: kind, type: nil,
      isIndexed: false, isTransient: false, destination: relationship.destination,
      inverse: relationship.inverse, isOptional: relationship.isOptional, column: columns.first,
      kindColumn: columns.dropFirst().first)
  }

  fileprivate var withoutIdentifiers: StoredModel.Property {
    StoredModel.Property(
      name: name, identifier: "", kind: kind, type: type, isIndexed: isIndexed,
      isTransient: isTransient, destination: destination, inverse: inverse,
      isOptional: isOptional, column: column, kindColumn: kindColumn)
  }
}

// MARK: - Descriptions

extension StoredModel: CustomStringConvertible {
  /// A short form, to be compared with another model's.
  var description: String { entities.map(\.description).joined(separator: " ") }
}

extension StoredModel.Entity: CustomStringConvertible {
  var description: String {
    let constraints = constraints.map { "unique " + $0.joined(separator: "+") }
    let parts = properties.map(\.description) + constraints
    return (isAbstract ? "abstract " : "") + name + (parent.map { ": \($0)" } ?? "")
      + "(\(parts.joined(separator: ", ")))"
  }
}

extension StoredModel.Property: CustomStringConvertible {
  var description: String {
    switch kind {
    case .attribute:
      "\(name): \(type ?? "")" + (isOptional ? "?" : "") + (isIndexed ? " indexed" : "")
        + (isTransient ? " transient" : "")
    case .toOne: "\(name): \(destination ?? "")" + (isOptional ? "?" : "")
    case .toMany: "\(name): \(destination ?? "")*"
    }
  }
}
