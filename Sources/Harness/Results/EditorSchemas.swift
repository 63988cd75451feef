import DataModel
import Foundation
import Judging
import Measurement
import Workload

/// JSON Schemas of the files that users write, for editors. They follow the declarations of the
/// fields.
package enum EditorSchemas {
  fileprivate typealias Schema = [String: Any]

  package static func scenario() throws -> String {
    let all = ScenarioField.all
    var properties: Schema = [:]
    for section in Set(all.map(\.section)) {
      let fields = all.filter { $0.section == section }
      let members = named(fields.map { ($0.name, schema(of: $0)) })
      if let section {
        properties[section] = object(members, requiring: fields.filter(\.isRequired).map(\.name))
      } else {
        properties.merge(members) { first, _ in first }
      }
    }
    let required = Set(all.filter(\.isRequired).map { $0.section ?? $0.name })
    return try text(
      "scenario", "A scenario of topobench", object(properties, requiring: required.sorted()))
  }

  package static func policy() throws -> String {
    let metrics = Metrics.all.filter { $0.kind != .label }
    let exact: Schema = ["enum": metrics.filter(\.isIndependentOfScheduling).map(\.name)]
    let number = "[0-9.]+([eE][-+]?[0-9]+)?"
    let share = text(of: #"^ *\+?\#(number) *%$"#)
    let amount: Schema = ["type": "number", "minimum": 0]
    let fields: [String: Schema] = [
      "metric": exact, "topology": scalar, "scenario": scalar, "reason": scalar,
      "until": text(of: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), "at_most": amount,
      "relative": share, "margin": share, "absolute": amount,
    ]
    func entry(_ names: [String], requiring required: [String] = []) -> Schema {
      object(named(names.map { ($0, fields[$0] ?? [:]) }), requiring: required)
    }
    let floor = entry(PolicyFile.floorFields)
    let entries: [String: Schema] = [
      "gate": list(["enum": metrics.filter { $0.better != .neither }.map(\.name)]),
      "floors": object(named(metrics.map { ($0.name, floor) })),
      "inexact": list(entry(PolicyFile.inexactFields, requiring: ["metric", "reason"])),
      "limits": list(pair(of: "[^:]+:", and: " *[^ ]+ +[<>]= +[-+]?\(number) *")),
      "expectations": list(pair(of: "([^:]+:)?", and: " *[^ ]+ +< +[^ ]+ *")),
      "waivers": list(entry(PolicyFile.waiverFields, requiring: ["metric", "reason", "until"])),
      "only": list(scalar),
    ]
    return try text(
      "policy", "A policy of `topobench gate`",
      orNothing(object(named(PolicyFile.entries.map { ($0, orNothing(entries[$0] ?? [:])) }))))
  }

  /// A condition after a name, as a text or as a mapping with one member.
  private static func pair(of name: String, and condition: String) -> Schema {
    var mapping = mapping(text(of: "^\(condition)$"))
    mapping["minProperties"] = 1
    mapping["maxProperties"] = 1
    return ["anyOf": [text(of: "^\(name)\(condition)$"), mapping]]
  }

  private static func text(_ name: String, _ title: String, _ schema: Schema) throws -> String {
    var schema = schema
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = "urn:topobench:schema:\(name):1"
    schema["title"] = title
    let data = try JSONSerialization.data(
      withJSONObject: schema, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

// MARK: - Scenarios

extension EditorSchemas {
  private static func schema(of field: ScenarioField) -> Schema {
    // A sentence, or a file's name.
    let isFree = ["name", "asks", "device"].contains(field.path)
    let one = isFree ? scalar : schema(of: field.kind)
    var schema: Schema = field.canBeSwept ? ["anyOf": [one, sweep(one)]] : one
    let unit = field.unit.isEmpty ? "" : " \(field.unit)"
    schema["description"] = "\(field.meaning) Allowed: \(field.kind.allowed)\(unit)."
    return schema
  }

  private static func schema(of kind: ScenarioField.Kind) -> Schema {
    switch kind {
    case .text, .attribute: return name
    case .predicate: return text(of: #"\S"#)
    case .path: return scalar
    case .choice(let words):
      // YAML reads these two words as booleans.
      return ["enum": words.map { (["true": true, "false": false] as Schema)[$0] ?? $0 }]
    case .integer(let range, let word):
      let number: Schema = [
        "type": "integer", "minimum": range.lowerBound, "maximum": range.upperBound,
      ]
      return word.map { ["anyOf": [["const": $0], number]] } ?? number
    case .number(let range):
      // As text, because a binary fraction would be printed with all its digits.
      let bounds = [range.lowerBound, range.upperBound].map { NSDecimalNumber(string: "\($0)") }
      return ["type": "number", "minimum": bounds[0], "maximum": bounds[1]]
    case .section:
      return ["anyOf": [name, object(["month_of": name], requiring: ["month_of"])]]
    case .order, .names, .keyPaths, .valuePaths: return ["anyOf": [name, list(name)]]
    case .headers: return ["anyOf": [scalar, list(scalar)]]
    case .columns: return mapping(name)
    case .attributes:
      var attributes = mapping(types)
      attributes["minProperties"] = 1
      return attributes
    case .model: return mapping(keys(of: .entity))
    case .others: return mapping(keys(of: .other))
    case .modelChanges:
      let changes = [["added"], ["required"], ["renamed", "from"]].map { names in
        object(named(names.map { ($0, name) }), requiring: names)
      }
      return list(["anyOf": changes])
    case .settings:
      return object(named(ScenarioField.all.filter(\.canBeSet).map { ($0.path, schema(of: $0)) }))
    }
  }

  private static var types: Schema {
    ["enum": AttributeType.allCases.flatMap { [$0.rawValue, "\($0.rawValue)?"] }]
  }

  private static func keys(of subject: ScenarioModelKey.Subject) -> Schema {
    var members = named(
      ScenarioModelKey.all.filter { $0.subject == subject }.map { key in
        (key.name, schema(of: key))
      })
    if subject == .entity {
      members["attributes"] = mapping(["anyOf": [types, keys(of: .attribute)]])
      members["relationships"] = mapping(keys(of: .relationship))
    }
    return object(members)
  }

  private static func schema(of key: ScenarioModelKey) -> Schema {
    var schema: Schema = ["description": "\(key.meaning) Allowed: \(key.allowed)."]
    guard let range = key.range else { return schema }
    schema["type"] = "integer"
    if key.name == "pairs" { schema["type"] = ["string", "integer"] }
    schema["minimum"] = range.lowerBound
    schema["maximum"] = range.upperBound
    return schema
  }
}

// MARK: - Parts

extension EditorSchemas {
  private static func named(_ members: [(String, Schema)]) -> Schema {
    Dictionary(uniqueKeysWithValues: members)
  }

  private static func object(_ members: Schema, requiring required: [String] = []) -> Schema {
    var schema: Schema = [
      "type": "object", "properties": members, "additionalProperties": false,
    ]
    if !required.isEmpty { schema["required"] = required }
    return schema
  }

  private static func mapping(_ values: Schema) -> Schema {
    ["type": "object", "additionalProperties": values]
  }

  private static func list(_ items: Schema) -> Schema { ["type": "array", "items": items] }

  private static func sweep(_ values: Schema) -> Schema {
    var sweep = list(values)
    sweep["minItems"] = 1
    sweep["maxItems"] = ScenarioField.mostSwept
    sweep["uniqueItems"] = true
    return sweep
  }

  private static func text(of pattern: String) -> Schema {
    ["type": "string", "pattern": pattern]
  }

  private static var name: Schema { ["type": "string", "minLength": 1] }

  /// A text that needs no quotes if it looks like a number, such as the name of a column.
  private static var scalar: Schema {
    ["type": ["string", "number", "boolean"], "minLength": 1]
  }

  /// The value may be left out after its name.
  private static func orNothing(_ schema: Schema) -> Schema {
    var schema = schema
    if let type = schema["type"] as? String { schema["type"] = [type, "null"] }
    return schema
  }
}

extension ScenarioField {
  fileprivate var isRequired: Bool { defaultValue == nil && substitute == nil }
}
