import DataModel
import Foundation

/// The model's value for the environment file and the digest: every key that is not at its default,
/// in the order of `ScenarioModelKey.all`.
extension ScenarioModel {
  var parameter: ParameterValue {
    .mapping(entities.map { .init(name: $0.name, value: $0.parameter) })
  }
}

extension EntityDescription {
  fileprivate var parameter: ParameterValue {
    .mapping(
      [
        parent.map { .init(name: "parent", value: .text($0)) },
        isAbstract ? .init(name: "abstract", value: .flag(true)) : nil,
        .nested("attributes", attributes.map { ($0.name, $0.parameter) }),
        .nested("relationships", relationships.map { ($0.name, $0.parameter) }),
        uniquenessConstraints.isEmpty
          ? nil
          : .init(
            name: "unique",
            value: .list(uniquenessConstraints.map { .list($0.map(ParameterValue.text)) })),
      ].compactMap(\.self))
  }
}

extension AttributeDescription {
  fileprivate var parameter: ParameterValue {
    let type = ParameterValue.text(typeName)
    let rest: [ParameterValue.Pair?] = [
      isIndexed ? .init(name: "indexed", value: .flag(true)) : nil,
      isTransient ? .init(name: "transient", value: .flag(true)) : nil,
      defaultValue == .null ? nil : .init(name: "default", value: .value(defaultValue)),
      validation.minimum.map { .init(name: "minimum", value: .value($0)) },
      validation.maximum.map { .init(name: "maximum", value: .value($0)) },
      validation.minimumLength.map { .init(name: "minimum_length", value: .integer($0)) },
      validation.maximumLength.map { .init(name: "maximum_length", value: .integer($0)) },
      validation.pattern.map { .init(name: "pattern", value: .text($0)) },
    ]
    let pairs = rest.compactMap(\.self)
    return pairs.isEmpty ? type : .mapping([.init(name: "type", value: type)] + pairs)
  }
}

extension RelationshipDescription {
  fileprivate var parameter: ParameterValue {
    let rest: [ParameterValue.Pair?] = [
      inverse.map { .init(name: "inverse", value: .text($0)) },
      deleteRule == .nullify
        ? nil : .init(name: "delete_rule", value: .text(deleteRule.rawValue)),
      isOptional ? nil : .init(name: "optional", value: .flag(false)),
      minimumCount == 0 ? nil : .init(name: "minimum_count", value: .integer(minimumCount)),
      isToMany ? maximumCount.map { .init(name: "maximum_count", value: .integer($0)) } : nil,
    ]
    let destination = ParameterValue.Pair(
      name: isToMany ? "to_many" : "to_one", value: .text(destination))
    return .mapping([destination] + rest.compactMap(\.self))
  }
}

extension ParameterValue {
  fileprivate static func value(_ value: Value) -> ParameterValue {
    switch value {
    case .string(let text): .text(text)
    case .data(let data): .text(data.base64EncodedString())
    default: .text("\(value)")
    }
  }

  fileprivate static func flag(_ value: Bool) -> ParameterValue { .text(value ? "true" : "false") }
}

extension ParameterValue.Pair {
  /// Nil if the mapping would be empty.
  fileprivate static func nested(
    _ name: String, _ members: [(String, ParameterValue)]
  ) -> ParameterValue.Pair? {
    guard !members.isEmpty else { return nil }
    return .init(name: name, value: .mapping(members.map { .init(name: $0, value: $1) }))
  }
}
