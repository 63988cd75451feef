import Support

/// A field's type, bounds and default.
///
/// Decoding, `--set`, the environment file, the digest and the table in `Scenarios/README.md` all
/// follow ``all``. A test compares the table.
package struct ScenarioField: Sendable {
  package enum Kind: Sendable {
    case text
    case predicate
    /// Relative to the scenario file.
    case path
    case choice([String])
    /// A whole number, or a word for a special case.
    case integer(ClosedRange<Int>, orWord: String? = nil)
    case number(ClosedRange<Double>)
    case attribute
    /// Names of attributes, each with an optional `-` for descending order.
    case order
    case attributes
    case names
    /// Names of relationships, or paths of them.
    case keyPaths
    /// Key paths that end at a value.
    case valuePaths
    /// An attribute, or a value computed from one.
    case section
    /// Names of a file's columns.
    case headers
    /// Names of a file's columns, with the attribute or reference of each.
    case columns
    /// As ``ScenarioModelKey/all`` describes them.
    case model
    /// Dotted paths of other fields, with values.
    case settings
    /// Entities with rows, as ``ScenarioModelKey/all`` describes them.
    case others
    /// Changes of the model since an older version.
    case modelChanges

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of _: Choice.Type) -> Kind {
      .choice(Choice.allCases.map(\.rawValue))
    }

    package var allowed: String {
      switch self {
      case .text: "text"
      case .predicate: "none, or a predicate"
      case .path: "the path of a file, relative to the scenario file"
      case .choice(let words): words.joined(separator: " | ")
      case .integer(let range, nil):
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
      case .integer(let range, let word?):
        "\(word), or a whole number from \(range.lowerBound) to \(range.upperBound)"
      case .number(let range):
        "a number from \(ParameterValue.number(range.lowerBound).json)"
          + " to \(ParameterValue.number(range.upperBound).json)"
      case .attribute: "auto, or an attribute of the entity"
      case .order: "a list of attributes, such as [country_code, -population]"
      case .attributes: "a mapping of names to types, such as `name: string`"
      case .names: "a list of to-one relationships, such as [country]"
      case .keyPaths: "a list of relationships, such as [country, orders.items]"
      case .valuePaths:
        "a list of key paths, such as [country.name, orders.@count, orders.last(date).total]"
      case .section: "none, an attribute, or `{month_of: DATE}`"
      case .headers: "a list of a file's columns, such as [notes]"
      case .columns: "a mapping of a file's columns to attributes, such as `Alpha-2: code`"
      case .model, .others: "a mapping of entities; see below"
      case .modelChanges: ModelChange.allowed
      case .settings: "a mapping of dotted fields to values, such as `changes.per_save: 5`"
      }
    }
  }

  package enum Role: Sendable {
    /// No part of the digest.
    case identity
    /// The work, or how a metric is computed: part of the digest.
    case work
    /// No part of the digest.
    case sampling
    /// Which figures an answer ranks. No part of the digest, and it has one value in a report.
    case question
  }

  /// The dotted path: `changes.per_save`.
  package let path: String
  package let kind: Kind
  /// Nil if the field is required.
  package let defaultValue: ParameterValue?
  /// A field that makes this one optional.
  package let substitute: String?
  package let role: Role
  package let unit: String
  package let meaning: String

  init(
    _ path: String, _ kind: Kind, default defaultValue: ParameterValue? = nil,
    unless substitute: String? = nil, role: Role = .work, unit: String = "", _ meaning: String
  ) {
    self.path = path
    self.kind = kind
    self.defaultValue = defaultValue
    self.substitute = substitute
    self.role = role
    self.unit = unit
    self.meaning = meaning
  }

  /// False for descriptions of the data, which only the file states.
  package var canBeSet: Bool {
    if ["model", "others"].contains(path) { return false }
    return path.contains(".") ? !path.hasPrefix("entity.") : role != .identity
  }

  package var documentation: String {
    let required = substitute.map { "required without `\($0)`" } ?? "required"
    let standard = defaultValue.map { "`\($0.asOverride)`" } ?? required
    let values = Self.documented(kind.allowed) + (unit.isEmpty ? "" : " \(unit)")
    // One row for all prices.
    let path = section == "costs" ? "costs.*_us" : path
    return "| `\(path)` | \(values) | \(standard) | \(meaning) |"
  }

  /// Ranges in digits alone.
  static func documented(_ allowed: String) -> String {
    allowed.replacing(/a (?:whole )?number from (\S+) to (\S+)/) { "\($0.output.1)–\($0.output.2)" }
      .replacing("|", with: "\\|")
  }
}

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
