import Foundation
import Harness
import JSONSchemas
import Support
import Testing

/// `scripts/docs --renew` writes the schemas.
@Suite("JSON Schemas of scenarios and policies")
struct EditorSchemaPagesTests {
  @Test(arguments: ["scenario", "policy"])
  func `the schema in the documentation is the one that the command prints`(
    kind: String
  ) throws {
    let file = "Documentation/Schemas/\(kind)-1.schema.json"
    let schema = try kind == "policy" ? EditorSchemas.policy() : EditorSchemas.scenario()
    if ProcessInfo.processInfo.environment["TOPOBENCH_RENEW_PAGES"] != nil {
      try Data(schema.utf8).write(to: DocumentationPages.root.appending(path: file))
    }
    let isSame = try DocumentationPages.text(file) == schema
    #expect(isSame, "\(file) differs. Type: scripts/docs --renew")
  }

  private static let scenarios =
    (try? FileManager.default.contentsOfDirectory(
      atPath: DocumentationPages.root.appending(path: "Scenarios").path)) ?? []

  @Test(arguments: scenarios.filter { $0.hasSuffix(".yaml") })
  func `every shipped scenario is valid`(file: String) throws {
    let json = try json(DocumentationPages.text("Scenarios/\(file)"))
    #expect(try JSONSchema.documented("scenario/1").errors(in: json) == [])
  }

  @Test func `this project's policy and the one in the documentation are valid`() throws {
    let page = try DocumentationPages.text("Documentation/Explanation/Judging.md")
    let shown = try #require(page.firstMatch(of: /```yaml\n([^`]*)```/)).output.1
    for yaml in [try DocumentationPages.text("results/gate.yaml"), String(shown)] {
      #expect(try JSONSchema.documented("policy/1").errors(in: json(yaml)) == [])
    }
  }

  @Test(arguments: ["Scenarios/5000-cities.yaml", "results/gate.yaml"])
  func `a committed file names its schema for editors`(file: String) throws {
    let line = try DocumentationPages.text(file).prefix { $0 != "\n" }
    let start = "# yaml-language-server: $schema=../"
    #expect(line.hasPrefix(start))
    _ = try JSONSchema(DocumentationPages.text(String(line.dropFirst(start.count))))
  }

  @Test(arguments: [
    ("changes: {per_saves: 5}", "$.changes.per_saves: is not described"),
    ("changes: {per_save: 0}", "$.changes.per_save"),
    ("changes: {per_save: []}", "$.changes.per_save: has fewer than 1 items"),
    ("changes: {per_save: [5, 50, 5]}", "$.changes.per_save: has an item twice"),
    ("store: {changes_since: [{renamed: City.a}]}", "$.store.changes_since[0]: lacks 'from'"),
    ("store: {changes_since: [{}]}", "$.store.changes_since[0]: lacks"),
    ("list: {sort: 5}", "$.list.sort"),
    ("entity: {name: A, key: a, attributes: {a: int63}}", "$.entity.attributes.a"),
    ("model: {City: {relationships: {c: {inverse: a, delete: b}}}}", "c.delete: is not"),
    ("model: {City: {attributes: {a: {type: string, words: a}}}}", "a.words: is no integer"),
    ("model: {City: {attributes: {a: {type: data, bytes: 0}}}}", "a.bytes: 0"),
    ("model: {City: {relationships: {c: {to_many: A, pairs: 1001}}}}", "c.pairs: 1001"),
    ("others: {A: {key: a, rows: -1}}", "A.rows: -1"),
    ("smoke: {changes.per_save: [[a]]}", "$.smoke.changes.per_save"),
    ("smoke: {asks_about: 'yes'}", "$.smoke.asks_about: yes is none of"),
    ("entity: {name: A, key: a, attributes: {}}", "$.entity.attributes: has fewer than 1 members"),
    ("list: {prefetch: ['']}", "$.list.prefetch"),
    ("data: {ignore: ['']}", "$.data.ignore"),
    ("list: {where: ' '}", "$.list.where"),
    ("list: {section_by: {}}", "$.list.section_by"),
    ("asks: ''", "$.asks: is shorter than 1"),
  ])
  func `a wrong field is found at its place`(yaml: String, problem: String) throws {
    let errors = try errors(with: yaml)
    #expect(errors.contains { $0.contains(problem) }, "\(errors)")
  }

  @Test(arguments: [
    "name: 5", "changes: {per_save: [5, all]}", "data: {before: 5, ignore: [2026, a]}",
    "store: {changes_since: [{added: City}, {renamed: City.a, from: b}]}", "asks: false",
    "smoke: {changes.per_save: [5, 50], data.before: 5}",
    "model: {City: {relationships: {c: {to_many: A, pairs: a.csv, minimum_count: 2}}}}",
    "list: {prefetch: [], section_by: {month_of: day}, where: [none, a == 1]}",
  ])
  func `a sweep, numbers as names and changes of a model are valid`(yaml: String) throws {
    #expect(try errors(with: yaml) == [])
  }

  @Test(arguments: ["", "---\n", "floors:", "only:\nwaivers: []\n"])
  func `a policy that asks for nothing is valid`(yaml: String) throws {
    _ = try PolicyFile.decode(yaml, file: "gate.yaml")
    #expect(try JSONSchema.documented("policy/1").errors(in: json(yaml)) == [])
  }

  @Test(arguments: [
    "gate: [main_blocked_ms]\nfloors: {main_blocked_ms: {relative: x}}",
    "gate: [main_blocked_ms]\nfloors: {main_blocked_ms: {relative: 5}}",
    "gate: [main_blocked_ms]\nfloors: {main_blocked_ms: {absolute: -1}}",
    "limits: [nonsense]", "limits: [{}]", "limits: ['main_blocked_ms <= 5']",
    "limits: [{all: main_blocked_ms < 5}]", "expectations: ['a<b']", "only: ['']",
    "inexact: total_ms", "inexact: [{metric: total_ms, reason: a}]",
    "waivers: [{metric: main_statements, reason: a, until: soon}]",
    "waivers: [{metric: main_statements, reason: '', until: 2027-01-31}]",
  ])
  func `the schema refuses a policy that the gate refuses`(yaml: String) throws {
    #expect(throws: InputError.self) { try PolicyFile.decode(yaml, file: "gate.yaml") }
    #expect(try JSONSchema.documented("policy/1").errors(in: json(yaml)) != [])
  }

  @Test(arguments: [
    "gate: [main_blocked_ms]\nfloors: {main_blocked_ms: {relative: .5 %, margin: 1e1%}}",
    "gate: [main_blocked_ms]\nfloors: {main_blocked_ms: {absolute: 0.5}}",
    "limits: ['all: main_blocked_ms <= 16.7', {main-only@a: main_blocked_ms >= -1e3}]",
    "expectations: ['a < b', 'main_blocked_ms: a < b', {main_blocked_ms@s: a < b}]",
    "waivers: [{metric: main_statements, topology: 5, reason: 5, at_most: 3, until: 2027-01-31}]",
  ])
  func `the schema accepts a policy that the gate accepts`(yaml: String) throws {
    _ = try PolicyFile.decode(yaml, file: "gate.yaml")
    #expect(try JSONSchema.documented("policy/1").errors(in: json(yaml)) == [])
  }

  /// Of a shipped scenario with another field or section.
  private func errors(with yaml: String) throws -> [String] {
    let scenario = try DocumentationPages.text("Scenarios/employees.yaml")
    let (name, wrong) = try #require(try LocatedNode(yaml: yaml, from: .none)?.members().first)
    let kept = try #require(try LocatedNode(yaml: scenario, from: .none)?.members())
    var members = try Dictionary(uniqueKeysWithValues: kept.map { ($0.name, try value($0.node)) })
    members[name] = try value(wrong)
    let text = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    return try JSONSchema.documented("scenario/1").errors(in: text)
  }

  private func json(_ yaml: String) throws -> String {
    let root: Any = try LocatedNode(yaml: yaml, from: .none).map(value) ?? NSNull()
    let data = try JSONSerialization.data(withJSONObject: root, options: .fragmentsAllowed)
    return String(decoding: data, as: UTF8.self)
  }

  private func value(_ node: LocatedNode) throws -> Any {
    if node.isMapping {
      return Dictionary(
        uniqueKeysWithValues: try node.members().map { ($0.name, try value($0.node)) })
    }
    if node.isList { return try node.items("a list").map(value) }
    guard !node.isNull else { return NSNull() }
    guard let text = node.plainText else { return node.anyText ?? "" }
    return Int(text) ?? Double(decimal: text) ?? (try? node.flag()) ?? text
  }
}
