import Foundation

/// A validator for the part of JSON Schema (draft 2020-12) that this project's schemas use. It
/// refuses other keywords.
package struct JSONSchema {
  private let root: [String: Any]

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let annotations: Set = ["$schema", "$id", "$defs", "title", "description"]
  private static let assertions: Set = [
    "type", "properties", "required", "items", "additionalProperties", "enum", "const", "$ref",
    "minimum", "maximum", "minItems", "maxItems", "uniqueItems", "anyOf", "minLength", "pattern",
    "minProperties", "maxProperties",
  ]

  package init(_ text: String) throws {
    guard let root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
      root["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema"
    else { throw Failure(description: "no schema of draft 2020-12") }
    self.root = root
    try check(root, at: "#")
  }

  /// The value of `schema` in documents of this schema.
  package var name: String? {
    let schema = (root["properties"] as? [String: Any])?["schema"] as? [String: Any]
    return schema?["const"] as? String
  }

  private func check(_ schema: [String: Any], at place: String) throws {
    for (keyword, value) in schema {
      guard Self.annotations.union(Self.assertions).contains(keyword) else {
        throw Failure(description: "\(place): keyword '\(keyword)' is not understood")
      }
      let place = "\(place)/\(keyword)"
      switch keyword {
      case "properties", "$defs":
        for (name, inner) in value as? [String: Any] ?? [:] {
          try check(Self.schema(inner, at: place), at: "\(place)/\(name)")
        }
      case "additionalProperties" where value as? Bool == false: break
      case "items", "additionalProperties": try check(Self.schema(value, at: place), at: place)
      case "anyOf":
        for inner in value as? [Any] ?? [] { try check(Self.schema(inner, at: place), at: place) }
      case "$ref": _ = try referred(value)
      default: break
      }
    }
  }

  private static func schema(_ value: Any, at place: String) throws -> [String: Any] {
    guard let schema = value as? [String: Any] else {
      throw Failure(description: "\(place): not a schema")
    }
    return schema
  }

  /// The definition that a reference names, in this document or in one with that `$id`; or that
  /// whole document.
  private func referred(_ value: Any) throws -> (document: JSONSchema, schema: [String: Any]) {
    let parts = (value as? String)?.split(separator: "#/$defs/", omittingEmptySubsequences: false)
    guard let parts, parts.count <= 2 else {
      throw Failure(description: "$ref \(value) leads nowhere")
    }
    let document = parts[0].isEmpty ? self : try Self.documented(id: String(parts[0]))
    if parts.count == 1 { return (document, document.root) }
    let definitions = document.root["$defs"] as? [String: Any]
    guard let found = definitions?[String(parts[1])] as? [String: Any] else {
      throw Failure(description: "$ref \(value) leads nowhere")
    }
    return (document, found)
  }
}

// MARK: - Validating

extension JSONSchema {
  /// - Parameter strict: whether members that no schema describes are errors. Readers must accept
  ///   them, because later versions may add some.
  /// - Returns: the errors, each with its path.
  package func errors(in text: String, strict: Bool = false) throws -> [String] {
    let document = try JSONSerialization.jsonObject(
      with: Data(text.utf8), options: .fragmentsAllowed)
    return try errors(document, root, at: "$", strict: strict)
  }

  private func errors(
    _ value: Any, _ schema: [String: Any], at place: String, strict: Bool
  ) throws -> [String] {
    if let reference = schema["$ref"] {
      let (document, schema) = try referred(reference)
      return try document.errors(value, schema, at: place, strict: strict)
    }
    let own = Self.errors(value, schema).map { "\(place): \($0)" }
    guard own.isEmpty else { return own }
    if let choices = schema["anyOf"] as? [[String: Any]] {
      let found = try choices.map { try errors(value, $0, at: place, strict: strict) }
      return found.contains([]) ? [] : found[found.count - 1]
    }
    if let object = value as? [String: Any] {
      return try errors(ofMembers: object, schema, at: place, strict: strict)
    }
    guard let array = value as? [Any], let items = schema["items"] as? [String: Any] else {
      return []
    }
    return try array.enumerated().flatMap {
      try errors($1, items, at: "\(place)[\($0)]", strict: strict)
    }
  }

  private func errors(
    ofMembers object: [String: Any], _ schema: [String: Any], at place: String, strict: Bool
  ) throws -> [String] {
    let described = schema["properties"] as? [String: Any] ?? [:]
    let others = schema["additionalProperties"] as? [String: Any]
    let isClosed = strict || schema["additionalProperties"] as? Bool == false
    return try object.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
      guard let inner = described[name] as? [String: Any] ?? others else {
        return isClosed ? ["\(place).\(name): is not described"] : []
      }
      return try errors(value, inner, at: "\(place).\(name)", strict: strict)
    }
  }

  /// Ignores errors of its members.
  private static func errors(_ value: Any, _ schema: [String: Any]) -> [String] {
    var errors: [String] = []
    let types = schema["type"] as? [String] ?? [schema["type"] as? String].compactMap { $0 }
    if !types.isEmpty, !types.contains(where: { isOf($0, value) }) {
      errors.append("is no \(types.joined(separator: " or "))")
    }
    if let expected = schema["const"], !isEqual(value, expected) {
      errors.append("is not \(expected)")
    }
    if let allowed = schema["enum"] as? [Any], !allowed.contains(where: { isEqual(value, $0) }) {
      errors.append("\(value) is none of \(allowed)")
    }
    let missing = (schema["required"] as? [String] ?? []).filter {
      (value as? [String: Any])?[$0] == nil
    }
    errors += missing.map { "lacks '\($0)'" }
    if let number = number(value) {
      if let least = schema["minimum"].flatMap(Self.number), number < least {
        errors.append("\(number) is below \(least)")
      }
      if let most = schema["maximum"].flatMap(Self.number), number > most {
        errors.append("\(number) is above \(most)")
      }
    }
    if let text = value as? String { errors += Self.errors(ofText: text, schema) }
    if let members = value as? [String: Any] {
      if let least = schema["minProperties"] as? Int, members.count < least {
        errors.append("has fewer than \(least) members")
      }
      if let most = schema["maxProperties"] as? Int, members.count > most {
        errors.append("has more than \(most) members")
      }
    }
    guard let items = value as? [Any] else { return errors }
    return errors + Self.errors(ofItems: items, schema)
  }

  private static func errors(ofText text: String, _ schema: [String: Any]) -> [String] {
    var errors: [String] = []
    if let least = schema["minLength"] as? Int, text.count < least {
      errors.append("is shorter than \(least)")
    }
    if let pattern = schema["pattern"] as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      errors.append("does not match \(pattern)")
    }
    return errors
  }

  private static func errors(ofItems items: [Any], _ schema: [String: Any]) -> [String] {
    var errors: [String] = []
    if let least = schema["minItems"] as? Int, items.count < least {
      errors.append("has fewer than \(least) items")
    }
    if let most = schema["maxItems"] as? Int, items.count > most {
      errors.append("has more than \(most) items")
    }
    if schema["uniqueItems"] as? Bool == true,
      items.indices.contains(where: { index in
        items[..<index].contains { isEqual($0, items[index]) }
      })
    {
      errors.append("has an item twice")
    }
    return errors
  }
}

// MARK: - JSON's types

extension JSONSchema {
  private static func isOf(_ type: String, _ value: Any) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": isBoolean(value)
    case "number": number(value) != nil
    case "integer": number(value).map { $0 == $0.rounded() } ?? false
    case "null": value is NSNull
    default: false
    }
  }

  /// `JSONSerialization` represents numbers and booleans by one class.
  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  private static func number(_ value: Any) -> Double? {
    isBoolean(value) ? nil : (value as? NSNumber)?.doubleValue
  }

  private static func isEqual(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? String { return left == right as? String }
    if let left = left as? [Any], let right = right as? [Any] {
      return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
    }
    if isBoolean(left), isBoolean(right) { return left as? Bool == right as? Bool }
    return isBoolean(left) == isBoolean(right) && number(left) != nil
      && number(left) == number(right)
  }
}
