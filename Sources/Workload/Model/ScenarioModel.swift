package import DataModel
import Foundation
package import Support

extension AttributeDescription {
  /// Whether a row can be saved without a value.
  var canBeLeftOut: Bool { isOptional || defaultValue != .null }
}

extension RelationshipDescription {
  var canBeEmpty: Bool { isOptional && minimumCount == 0 }
}

/// Entities with rows, and those that `model:` adds. The harness makes the store's model from them.
package struct ScenarioModel: Sendable {
  /// Parents before their subentities.
  package internal(set) var entities: [EntityDescription] = []
  var pairs: [PairsDescription] = []
  var sizes: [ValueSize] = []
  /// By name, for thousands of entities. Some are missing or stale after a change of the list.
  private var indexes: [String: Int] = [:]
  var origins: [String: InputError.Origin] = [:]

  /// An error at the line of the path, such as `model.City.relationships.country`, or of its
  /// nearest parent in the file.
  package func error(at path: String, _ message: String) -> InputError {
    InputError(origins.nearest(to: path) ?? .none, field: path, message)
  }

  func index(ofEntity name: String) -> Int? {
    if let index = indexes[name], entities[index].name == name { return index }
    return entities.firstIndex { $0.name == name }
  }

  mutating func index() {
    indexes = Dictionary(zip(entities.map(\.name), entities.indices)) { first, _ in first }
  }

  func entity(named name: String) -> EntityDescription? {
    index(ofEntity: name).map { entities[$0] }
  }

  /// The nearest first. Ends at an unknown parent or a cycle.
  func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var found: [EntityDescription] = []
    var next = entity.parent
    while let name = next, let parent = self.entity(named: name),
      parent.name != entity.name, !found.contains(where: { $0.name == name })
    {
      found.append(parent)
      next = parent.parent
    }
    return found
  }

  func lineage(of entity: EntityDescription) -> [EntityDescription] {
    [entity] + ancestors(of: entity)
  }

  func relationship(named name: String, of entity: String) -> RelationshipDescription? {
    relationships(of: entity).first { $0.name == name }
  }

  /// With the inherited ones.
  func relationships(of entity: String) -> [RelationshipDescription] {
    self.entity(named: entity).map { lineage(of: $0).flatMap(\.relationships) } ?? []
  }
}

/// For the environment file and the digest: every key that is not at its default, in the order of
/// `ScenarioModelKey.all`.
extension ScenarioModel {
  var parameter: ParameterValue {
    let pairs = Dictionary(grouping: pairs, by: \.entity)
    let sizes = Dictionary(grouping: sizes, by: \.entity)
    return .mapping(
      entities.map { entity in
        let value = entity.parameter(
          pairs[entity.name, default: []], sizes[entity.name, default: []])
        return .init(name: entity.name, value: value)
      })
  }
}

extension EntityDescription {
  fileprivate func parameter(
    _ pairs: [PairsDescription], _ sizes: [ValueSize]
  ) -> ParameterValue {
    .members([
      ("parent", parent.map(ParameterValue.text)),
      ("abstract", isAbstract ? .text("true") : nil),
      (
        "attributes",
        .members(
          attributes.map { attribute in
            let size = sizes.first { $0.attribute == attribute.name }
            return (attribute.name, attribute.parameter(size))
          })
      ),
      (
        "relationships",
        .members(
          relationships.map { relationship in
            let pairs = pairs.first { $0.relationship == relationship.name }
            return (relationship.name, relationship.parameter(pairs?.source))
          })
      ),
      ("unique", .list(uniquenessConstraints.map { .list($0.map(ParameterValue.text)) })),
    ])
  }
}

extension AttributeDescription {
  fileprivate func parameter(_ size: ValueSize?) -> ParameterValue {
    let type = ParameterValue.text(typeName)
    let description = ParameterValue.members([
      ("type", type),
      ("indexed", isIndexed ? .text("true") : nil),
      ("transient", isTransient ? .text("true") : nil),
      ("default", defaultValue == .null ? nil : .value(defaultValue)),
      ("minimum", validation.minimum.map(ParameterValue.value)),
      ("maximum", validation.maximum.map(ParameterValue.value)),
      ("minimum_length", validation.minimumLength.map(ParameterValue.integer)),
      ("maximum_length", validation.maximumLength.map(ParameterValue.integer)),
      ("pattern", validation.pattern.map(ParameterValue.text)),
      (size?.key ?? "", size.map { .integer($0.count) }),
    ])
    return description == .members([("type", type)]) ? type : description
  }
}

extension RelationshipDescription {
  /// Without the path of pairs: the digest hashes the file's content.
  fileprivate func parameter(_ pairs: PairsDescription.Source?) -> ParameterValue {
    .members([
      (isToMany ? "to_many" : "to_one", .text(destination)),
      ("inverse", inverse.map(ParameterValue.text)),
      ("delete_rule", deleteRule == .nullify ? nil : .text(deleteRule.rawValue)),
      ("optional", isOptional ? nil : .text("false")),
      ("minimum_count", minimumCount == 0 ? nil : .integer(minimumCount)),
      ("maximum_count", isToMany ? maximumCount.map(ParameterValue.integer) : nil),
      ("pairs", pairs.flatMap { if case .made(let each) = $0 { .integer(each) } else { nil } }),
    ])
  }
}

extension ParameterValue {
  /// Leaves out what is nil or empty.
  fileprivate static func members(_ members: [(String, ParameterValue?)]) -> ParameterValue {
    let present = members.filter { ![nil, .list([]), .mapping([])].contains($0.1) }
    return .mapping(present.compactMap { name, value in value.map { Pair(name: name, value: $0) } })
  }

  fileprivate static func value(_ value: Value) -> ParameterValue {
    switch value {
    case .string(let text), .uri(let text): .text(text)
    case .data(let data): .text(data.base64EncodedString())
    default: .text("\(value)")
    }
  }
}
