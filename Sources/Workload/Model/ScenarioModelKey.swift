import DataModel

/// A key in `model:` or in `others:`.
///
/// Checks for unknown keys and the tables in `Scenarios/README.md` follow this list, as a test
/// shows.
package struct ScenarioModelKey: Sendable {
  package enum Subject: String, CaseIterable, Sendable {
    case entity, attribute, relationship, other
  }

  package let subject: Subject
  package let name: String
  package let allowed: String
  package let standard: String
  package let meaning: String
  /// The numbers that are allowed; nil without any.
  package let range: ClosedRange<Int>?

  package var documentation: String {
    let values = ScenarioField.documented(allowed)
    return "| \(subject.rawValue) `\(name)` | \(values) | \(standard) | \(meaning) |"
  }

  static func names(of subject: Subject) -> [String] {
    all.filter { $0.subject == subject }.map(\.name)
  }

  static func allowed(_ subject: Subject, _ name: String) -> String {
    all.first { $0.subject == subject && $0.name == name }?.allowed ?? ""
  }

  package static let all = entityKeys + attributeKeys + relationshipKeys + otherKeys

  private static let entityKeys = [
    key(.entity, "parent", "the name of an entity", "none", "The entity that it inherits from."),
    key(.entity, "abstract", flag, "`false`", "Whether objects are of its subentities only."),
    key(
      .entity, "attributes", "a mapping of names to types or descriptions", "none",
      "`name: string?`, or a mapping of the keys of an attribute."),
    key(
      .entity, "relationships", "a mapping of names to descriptions", "none",
      "Each a mapping of the keys of a relationship."),
    key(
      .entity, "unique", "a list of names, or of lists of names", "none",
      "Attributes and to-one relationships of which no two rows may hold the same values."),
  ]

  private static let attributeKeys = [
    key(
      .attribute, "type", "a type, with `?` for an optional one", "required",
      "As in `entity.attributes`."),
    key(.attribute, "indexed", flag, "`false`", "Whether the store keeps an index over it."),
    key(.attribute, "transient", flag, "`false`", "Whether it lives in contexts only."),
    key(.attribute, "default", "a value of the type", "none", "The value of a new object."),
    key(.attribute, "minimum", "a value of the type", "none", "The least number or date to save."),
    key(
      .attribute, "maximum", "a value of the type", "none", "The greatest number or date to save."),
    number(.attribute, "minimum_length", count, "none", "The fewest characters of a text."),
    number(.attribute, "maximum_length", count, "none", "The most characters of a text."),
    key(
      .attribute, "pattern", "a regular expression", "none",
      "The pattern that the whole text must match."),
    number(
      .attribute, "bytes", 1...ValueSize.mostBytes, "16 to 64",
      "The bytes of each generated value of `data`."),
    number(
      .attribute, "words", 1...ValueSize.mostWords, "`2`", "The words of each generated text."),
  ]

  private static let relationshipKeys = [
    key(
      .relationship, "to_one", "the name of an entity", "this or `to_many`",
      "The destination of a relationship to one object."),
    key(
      .relationship, "to_many", "the name of an entity", "this or `to_one`",
      "The destination of a relationship to any number of objects."),
    key(
      .relationship, "inverse", "a relationship of the destination", "none",
      "The other side; a relationship to many needs one."),
    key(
      .relationship, "delete_rule", DeleteRule.allCases.map(\.rawValue).joined(separator: " | "),
      "`nullify`",
      "What becomes of the related objects when one is deleted."),
    key(.relationship, "optional", flag, "`true`", "Whether it may be empty when saved."),
    number(
      .relationship, "minimum_count", count, "`0`",
      "How many objects one to many must hold, if any."
    ),
    number(.relationship, "maximum_count", count, "none", "How many objects one to many may hold."),
    key(
      .relationship, "pairs", "the path of a file, or a whole number from 0 to 1000", "none",
      "For one side of a many-to-many relationship. A path names a data file with the keys of this side, then of the other. A number says how many objects each row is related to, chosen by a seed.",
      range: 0...1000),
  ]

  private static let otherKeys = [
    key(
      .other, "key", "an attribute of the entity", "required",
      "The attribute by which its rows are known: `int64`, `string` or `uuid`, not optional."),
    key(.other, "references", "a list of to-one relationships", "none", "As `entity.references`."),
    key(
      .other, "before", "the path of a file, relative to the scenario file",
      "required without `generate.rows`", "Its rows when the window opens."),
    key(
      .other, "after", "the path of a file, relative to the scenario file",
      "required without `generate.rows`", "Its rows in the end."),
    key(
      .other, "format", DataFormat.allCases.map(\.rawValue).joined(separator: " | "), "`auto`",
      "As `data.format`."),
    key(
      .other, "columns", ScenarioField.Kind.columns.allowed, "none", "As `data.columns`."),
    key(.other, "ignore", ScenarioField.Kind.headers.allowed, "none", "As `data.ignore`."),
    number(.other, "rows", count, "`0`", "As `generate.rows`, where rows are made from a seed."),
    number(.other, "inserts", count, "`0`", "As `generate.inserts`."),
    number(.other, "updates", count, "`0`", "As `generate.updates`."),
    number(.other, "deletes", count, "`0`", "As `generate.deletes`."),
  ]

  private static let flag = "true | false"
  private static let count = 0...ModelKeys.mostCounted

  private static func key(
    _ subject: Subject, _ name: String, _ allowed: String, _ standard: String, _ meaning: String,
    range: ClosedRange<Int>? = nil
  ) -> ScenarioModelKey {
    ScenarioModelKey(
      subject: subject, name: name, allowed: allowed, standard: standard, meaning: meaning,
      range: range)
  }

  private static func number(
    _ subject: Subject, _ name: String, _ range: ClosedRange<Int>, _ standard: String,
    _ meaning: String
  ) -> ScenarioModelKey {
    key(
      subject, name, "a whole number from \(range.lowerBound) to \(range.upperBound)", standard,
      meaning, range: range)
  }
}
