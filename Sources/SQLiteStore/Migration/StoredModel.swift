import Foundation
import ObjectGraph

/// A model as a store remembers it: what its layout depends on, and where everything lies. Kept as JSON
/// in the store's metadata, where Core Data keeps hashes: as exact, and enough to migrate from.
struct StoredModel: Codable, Equatable, Sendable {
  struct Property: Codable, Equatable, Sendable {
    enum Kind: String, Codable {
      case attribute, toOne, toMany
    }

    let name: String
    /// What a newer model finds it by.
    let identifier: String
    let kind: Kind
    /// Of an attribute.
    let type: String?
    let isIndexed: Bool
    let isTransient: Bool
    /// Of a relationship.
    let destination: String?
    let inverse: String?
    let isOptional: Bool
    /// The columns in the table, unquoted; for a target of several kinds, one more.
    let column: String?
    let kindColumn: String?
  }

  struct Entity: Codable, Equatable, Sendable {
    let name: String
    /// What a newer model finds it by.
    let identifier: String
    let parent: String?
    let isAbstract: Bool
    /// Of the hierarchy, unquoted.
    let table: String
    /// Without what is inherited.
    let properties: [Property]
    let constraints: [[String]]
  }

  struct Pairs: Codable, Equatable, Sendable {
    struct End: Codable, Equatable, Sendable {
      let entity: String
      let relationship: String
      /// Holds keys of the entity.
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

  /// - Throws: `DecodingError` if this is no such JSON.
  init(json: String) throws {
    self = try JSONDecoder().decode(StoredModel.self, from: Data(json.utf8))
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Whether a store of the other model is laid out and validated as one of this.
  func isCompatible(with other: StoredModel) -> Bool {
    anonymous == other.anonymous
  }

  /// Without what only migration looks at.
  private var anonymous: StoredModel {
    StoredModel(entities: entities.map(\.anonymous), pairs: pairs)
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

  fileprivate var anonymous: StoredModel.Entity {
    StoredModel.Entity(
      name: name, identifier: "", parent: parent, isAbstract: isAbstract, table: table,
      properties: properties.map(\.anonymous), constraints: constraints)
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

  fileprivate var anonymous: StoredModel.Property {
    StoredModel.Property(
      name: name, identifier: "", kind: kind, type: type, isIndexed: isIndexed,
      isTransient: isTransient, destination: destination, inverse: inverse,
      isOptional: isOptional, column: column, kindColumn: kindColumn)
  }
}

// MARK: - For people

extension StoredModel: CustomStringConvertible {
  /// Short enough to be read beside another.
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
