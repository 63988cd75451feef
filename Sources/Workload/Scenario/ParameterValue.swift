import Support

package enum ParameterValue: Hashable, Sendable {
  case integer(Int)
  case number(Double)
  case text(String)
  case list([ParameterValue])
  /// In the order of the scenario file.
  case mapping([Pair])

  package struct Pair: Hashable, Sendable {
    package let name: String
    package let value: ParameterValue
  }

  /// Compact JSON. Whole numbers have no fraction, so that `5` and `5.0` are the same value.
  package var json: String {
    switch self {
    case .integer(let value): "\(value)"
    case .number(let value): Self.json(value)
    case .text(let value): Self.json(value)
    case .list(let values): "[\(values.map(\.json).joined(separator: ","))]"
    case .mapping(let pairs): Self.json(pairs)
    }
  }

  /// For `--set`: a text has no quotes, unless YAML would read it as something else.
  var asOverride: String {
    guard case .text(let text) = self else { return json }
    guard let node = try? LocatedNode(yaml: text, from: .none), !node.isNull else { return json }
    return node.plainText == text ? text : json
  }

  private static func json(_ pairs: [Pair]) -> String {
    let members = pairs.map { "\(json($0.name)):\($0.value.json)" }
    return "{\(members.joined(separator: ","))}"
  }

  private static func json(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
