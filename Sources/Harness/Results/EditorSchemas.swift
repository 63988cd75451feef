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
    let names: Schema = ["enum": metrics.map(\.name)]
    func entry(_ fields: [String], requiring required: [String]) -> Schema {
      list(object(named(fields.map { ($0, $0 == "metric" ? names : [:]) }), requiring: required))
    }
    let floor = object(named(PolicyFile.floorFields.map { ($0, [:]) }))
    let condition: Schema = ["anyOf": [["type": "string"], ["type": "object"]]]
    let entries: [String: Schema] = [
      "gate": list(["enum": metrics.filter { $0.better != .neither }.map(\.name)]),
      "floors": object(named(metrics.map { ($0.name, floor) })),
      "inexact": entry(PolicyFile.inexactFields, requiring: ["metric", "reason"]),
      "limits": list(condition), "expectations": list(condition),
      "waivers": entry(PolicyFile.waiverFields, requiring: ["metric", "reason", "until"]),
      "only": list(["type": "string"]),
    ]
    return try text(
      "policy", "A policy of `topobench gate`",
      orNothing(object(named(PolicyFile.entries.map { ($0, orNothing(entries[$0] ?? [:])) }))))
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
    // The name of a scenario is that of its file.
    let one = field.path == "name" ? scalar : schema(of: field.kind)
    var schema: Schema = field.canBeSwept ? ["anyOf": [one, sweep(one)]] : one
    let unit = field.unit.isEmpty ? "" : " \(field.unit)"
    schema["description"] = "\(field.meaning) Allowed: \(field.kind.allowed)\(unit)."
    return schema
  }

  private static func schema(of kind: ScenarioField.Kind) -> Schema {
    switch kind {
    case .text, .predicate, .attribute: return ["type": "string"]
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
    case .section: return ["anyOf": [["type": "string"], mapping(["type": "string"])]]
    case .order, .names, .keyPaths, .valuePaths:
      return ["anyOf": [["type": "string"], list(["type": "string"])]]
    case .headers: return ["anyOf": [scalar, list(scalar)]]
    case .columns: return mapping(["type": "string"])
    case .attributes: return mapping(types)
    case .model: return mapping(keys(of: .entity))
    case .others: return mapping(keys(of: .other))
    case .modelChanges:
      let changes = [["added"], ["required"], ["renamed", "from"]].map { names in
        object(named(names.map { ($0, ["type": "string"]) }), requiring: names)
      }
      return list(["anyOf": changes])
    case .settings:
      return object(named(ScenarioField.all.filter(\.canBeSet).map { ($0.path, [:]) }))
    }
  }

  private static var types: Schema {
    ["enum": AttributeType.allCases.flatMap { [$0.rawValue, "\($0.rawValue)?"] }]
  }

  private static func keys(of subject: ScenarioModelKey.Subject) -> Schema {
    var members = named(
      ScenarioModelKey.all.filter { $0.subject == subject }.map { key in
        (key.name, ["description": "\(key.meaning) Allowed: \(key.allowed)."])
      })
    if subject == .entity {
      members["attributes"] = mapping(["anyOf": [types, keys(of: .attribute)]])
      members["relationships"] = mapping(keys(of: .relationship))
    }
    return object(members)
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

  /// A text that needs no quotes if it looks like a number, such as the name of a column.
  private static var scalar: Schema { ["type": ["string", "number", "boolean"]] }

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
