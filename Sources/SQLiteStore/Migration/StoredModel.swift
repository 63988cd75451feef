import Foundation
import ObjectGraph

/// The parts of a model that shape a store's layout, enough to migrate from. The store's metadata
/// holds them as JSON. Core Data holds hashes instead.
struct StoredModel: Codable, Equatable, Sendable {
  struct Property: Codable, Equatable, Sendable {
    enum Kind: String, Codable {
      case attribute, toOne, toMany
    }

    /// Nil for attributes, and in stores of older versions of this program.
    struct Rules: Codable, Equatable {
      let deleteRule: String
      let minimumCount: Int
      let maximumCount: Int?
    }

    let name: String
    /// Matches the property with one of a newer model.
    var identifier: String
    let kind: Kind
    /// For attributes.
    var type: String?
    var isTransient = false
    /// For relationships.
    var destination: String?
    var inverse: String?
    var rules: Rules?
    let isOptional: Bool
    /// Unquoted. `kindColumn` holds the target's entity number, if targets can be of several
    /// entities.
    var column: String?
    var kindColumn: String?
  }

  struct Entity: Codable, Equatable, Sendable {
    let name: String
    var identifier: String
    let parent: String?
    let isAbstract: Bool
    /// Unquoted. Shared by a hierarchy.
    let table: String
    /// Without inherited ones.
    var properties: [Property]
    let constraints: [[String]]
  }

  struct Pairs: Codable, Equatable, Sendable {
    struct End: Codable, Equatable, Sendable {
      let entity: String
      let relationship: String
      /// Holds the entity's keys.
      let column: String
    }

    let table: String
    let ends: [End]
  }

  /// In the order of their numbers, from 1.
  private(set) var entities: [Entity]
  private(set) var pairs: [Pairs]

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

  init(json: String) throws {
    self = try JSONDecoder().decode(StoredModel.self, from: Data(json.utf8))
  }

  /// Checks names, parents and pairs: a damaged file may contain any text.
  var isConsistent: Bool {
    Set(entities.map(\.name)).count == entities.count && entities.allSatisfy(hasRoot)
      && pairs.allSatisfy { $0.ends.count == 2 }
  }

  /// Parents must not form a ring.
  private func hasRoot(_ entity: Entity) -> Bool {
    var name = entity.parent
    for _ in entities.indices {
      guard let parent = name else { return true }
      name = entities.first { $0.name == parent }?.parent
    }
    return name == nil
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Compares what Core Data's version hashes contain: also delete rules, the counts of
  /// relationships and uniqueness constraints, but no indexes and no validation of attributes.
  /// Sources: Apple's "Understanding Versions" (Core Data Model Versioning), NSEntityDescription.h.
  func isCompatible(with other: StoredModel) -> Bool {
    let haveRules = hasRules && other.hasRules
    return compared(withRules: haveRules) == other.compared(withRules: haveRules)
  }

  /// Whether the models differ in the order of entities or properties only. Core Data's hashes do
  /// not contain it. Here columns and entity numbers depend on it, so the store is migrated. A
  /// migration finds parts by their identifiers, so those must be equal.
  func isReordered(_ other: StoredModel) -> Bool {
    let haveRules = hasRules && other.hasRules
    return sorted(withRules: haveRules) == other.sorted(withRules: haveRules)
  }

  private func sorted(withRules hasRules: Bool) -> StoredModel {
    var model = self
    model.pairs = []
    for entity in entities.indices {
      for property in entities[entity].properties.indices {
        model.entities[entity].properties[property].column = nil
        model.entities[entity].properties[property].kindColumn = nil
        if !hasRules { model.entities[entity].properties[property].rules = nil }
      }
      model.entities[entity].properties.sort { $0.name < $1.name }
    }
    model.entities.sort { $0.name < $1.name }
    return model
  }

  private var hasRules: Bool {
    entities.allSatisfy { $0.properties.allSatisfy { $0.kind == .attribute || $0.rules != nil } }
  }

  private func compared(withRules hasRules: Bool) -> StoredModel {
    var model = self
    for entity in entities.indices {
      model.entities[entity].identifier = ""
      for property in entities[entity].properties.indices {
        model.entities[entity].properties[property].identifier = ""
        if !hasRules { model.entities[entity].properties[property].rules = nil }
      }
    }
    return model
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
          StoredModel.Property($0, .toMany)
        },
      constraints: Array(
        entity.uniquenessConstraints.dropFirst(parent?.uniquenessConstraints.count ?? 0)))
  }
}

extension StoredModel.Property {
  fileprivate init(_ column: Column, _ layout: ColumnLayout) {
    switch column {
    case .toOne(let relationship): self.init(relationship, .toOne, layout)
    case .attribute(let attribute):
      self.init(
        name: attribute.name, identifier: column.identifier,
        kind: .attribute, type: attribute.type.rawValue,
        isTransient: attribute.isTransient, isOptional: attribute.isOptional,
        column: layout.stored.first?.name)
    }
  }

  fileprivate init(
    _ relationship: RelationshipDescription, _ kind: Kind, _ layout: ColumnLayout? = nil
  ) {
    let columns = layout?.stored.map(\.name) ?? []
    self.init(
      name: relationship.name, identifier: relationship.identifier, kind: kind,
      destination: relationship.destination, inverse: relationship.inverse,
      rules: Rules(
        deleteRule: relationship.deleteRule.rawValue, minimumCount: relationship.minimumCount,
        maximumCount: relationship.maximumCount),
      isOptional: relationship.isOptional, column: columns.first,
      kindColumn: columns.dropFirst().first)
  }
}

extension ObjectGraph.Column {
  var identifier: String {
    attribute?.renamingIdentifier ?? relationship?.renamingIdentifier ?? name
  }
}

extension RelationshipDescription {
  var identifier: String { renamingIdentifier ?? name }
}

// MARK: - Descriptions

extension StoredModel: CustomStringConvertible {
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
      "\(name): \(type ?? "")" + (isOptional ? "?" : "") + (isTransient ? " transient" : "")
    case .toOne: "\(name): \(destination ?? "")" + (isOptional ? "?" : "") + unusualRules
    case .toMany: "\(name): \(destination ?? "")*" + unusualRules
    }
  }

  private var unusualRules: String {
    guard let rules else { return "" }
    let least = rules.minimumCount > 0 ? " at least \(rules.minimumCount)" : ""
    let most = kind == .toOne ? "" : rules.maximumCount.map { " at most \($0)" } ?? ""
    let rule = rules.deleteRule == DeleteRule.nullify.rawValue ? "" : " \(rules.deleteRule)"
    return least + most + rule
  }
}
