import DataModel
import Foundation

/// For the environment file and the digest: every key that is not at its default, in the order of
/// `ScenarioModelKey.all`.
extension ScenarioModel {
  var parameter: ParameterValue {
    .mapping(entities.map { .init(name: $0.name, value: $0.parameter) })
  }
}

extension EntityDescription {
  fileprivate var parameter: ParameterValue {
    .members([
      ("parent", parent.map(ParameterValue.text)),
      ("abstract", isAbstract ? .text("true") : nil),
      (
        "attributes",
        attributes.isEmpty ? nil : .members(attributes.map { ($0.name, $0.parameter) })
      ),
      (
        "relationships",
        relationships.isEmpty ? nil : .members(relationships.map { ($0.name, $0.parameter) })
      ),
      (
        "unique",
        uniquenessConstraints.isEmpty
          ? nil : .list(uniquenessConstraints.map { .list($0.map(ParameterValue.text)) })
      ),
    ])
  }
}

extension AttributeDescription {
  fileprivate var parameter: ParameterValue {
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
    ])
    return description == .members([("type", type)]) ? type : description
  }
}

extension RelationshipDescription {
  fileprivate var parameter: ParameterValue {
    .members([
      (isToMany ? "to_many" : "to_one", .text(destination)),
      ("inverse", inverse.map(ParameterValue.text)),
      ("delete_rule", deleteRule == .nullify ? nil : .text(deleteRule.rawValue)),
      ("optional", isOptional ? nil : .text("false")),
      ("minimum_count", minimumCount == 0 ? nil : .integer(minimumCount)),
      ("maximum_count", isToMany ? maximumCount.map(ParameterValue.integer) : nil),
    ])
  }
}

extension ParameterValue {
  fileprivate static func members(_ members: [(String, ParameterValue?)]) -> ParameterValue {
    .mapping(members.compactMap { name, value in value.map { Pair(name: name, value: $0) } })
  }

  fileprivate static func value(_ value: Value) -> ParameterValue {
    switch value {
    case .string(let text), .uri(let text): .text(text)
    case .data(let data): .text(data.base64EncodedString())
    default: .text("\(value)")
    }
  }
}
