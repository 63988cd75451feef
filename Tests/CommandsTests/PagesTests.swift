import Foundation
import Judging
import Measurement
import Reports
import SQLiteStore
import Testing
import Topologies

@testable import Harness

@Suite struct PagesTests {
  private static let isRenewing =
    ProcessInfo.processInfo.environment["TOPOBENCH_RENEW_PAGES"] != nil

  private func expect(_ page: String, toRead expected: String) throws {
    if Self.isRenewing {
      try Data(expected.utf8).write(
        to: DocumentationPages.root.appending(path: "Documentation/Reference/\(page)"))
    }
    let text = try DocumentationPages.text("Documentation/Reference/\(page)")
    let line = zip(text.split(separator: "\n"), expected.split(separator: "\n")).first { $0 != $1 }
    #expect(
      text == expected,
      "Documentation/Reference/\(page) differs: \(String(describing: line)). Type: scripts/docs --renew"
    )
  }

  @Test func `the page of metrics has each metric once, as it is defined`() throws {
    let page = try DocumentationPages.text("Documentation/Reference/Metrics.md")
    try expect("Metrics.md", toRead: DocumentationPages.metrics(renewing: page))
    let names = page.split(separator: "\n").compactMap(DocumentationPages.name)
    // Newer columns stand at the end of the file's, but in the page where they belong.
    #expect(names.count == Metrics.all.count && Set(names) == Set(Metrics.all.map(\.name)))
  }

  @Test func `the page of the environment file has each property as it is declared`() throws {
    try expect("Environment.md", toRead: DocumentationPages.environment())
  }

  @Test func `the page of topologies agrees with their files and descriptors`() throws {
    let old = try DocumentationPages.text("Documentation/Reference/Topologies.md")
    let page = try DocumentationPages.topologies(renewing: old)
    try expect("Topologies.md", toRead: page)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings == Topologies.builtIn.map { "## \($0.name)" })
    let pictures = page.split(separator: "```text").count - 1
    #expect(pictures >= Topologies.builtIn.count)
  }

  @Test func `the page of the command line has the exit statuses as the code words them`() throws {
    let page = try DocumentationPages.text("Documentation/Reference/Command-line.md")
    try expect("Command-line.md", toRead: DocumentationPages.exitStatuses(renewing: page))
  }

  @Test func `the page of the architecture has the arrows that are checked`() throws {
    let rows = try DocumentationPages.text("Documentation/Project/Architecture.md")
      .split(separator: "\n").compactMap { $0.wholeMatch(of: /\| (\w+) \| .* \| ([\w, –]+) \|/) }
    let told = Dictionary(
      uniqueKeysWithValues: rows.dropFirst().map { row in
        (
          String(row.output.1),
          Set(row.output.2.split(separator: ", ").map(String.init)).subtracting(["–"])
        )
      })
    let checked = Dictionary(
      uniqueKeysWithValues: try DocumentationPages.text("scripts/check").split(separator: "\n")
        .filter { $0.hasPrefix("may_import ") }
        .map { $0.split(separator: " ").dropFirst().map(String.init) }
        .map { ($0[0], Set($0.dropFirst())) })
    #expect(told == checked && !checked.isEmpty)
  }

  @Test func `the tutorial shows lines of the example package`() throws {
    let page = try DocumentationPages.text("Documentation/Tutorial.md")
    let shown = try #require(page.firstMatch(of: /```swift\n([^`]*)```/)).output.1
    let file = try DocumentationPages.text(
      "Tests/ExamplePackage/Sources/my-topobench/LateMerge.swift")
    let lines = Set(file.split(separator: "\n"))
    #expect(shown.split(separator: "\n").filter { !lines.contains($0) } == [])
  }

  @Test func `the observer for apps writes the fields of a log's line`() throws {
    let page = try DocumentationPages.text("Documentation/How-to/In-your-app.md")
    let line = try #require(page.firstMatch(of: /struct LoggedSave: Encodable \{\n([^}]*)\}/))
    let written = line.output.1.split(separator: "\n").flatMap { declaration in
      declaration.prefix { $0 != ":" && $0 != "=" }.split(separator: /[ ,]+/).dropFirst()
    }
    let schema = try JSONSerialization.jsonObject(
      with: Data(DocumentationPages.text("Documentation/Schemas/save-log-1.schema.json").utf8))
    let required = (schema as? [String: Any])?["required"] as? [String]
    #expect(written.map(String.init).sorted() == required?.sorted())
  }
}

/// The documentation's pages that are made from the sources.
///
/// With `TOPOBENCH_RENEW_PAGES` set, the test that compares them writes them first.
enum DocumentationPages {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  // MARK: Metrics

  private static let style = TextStyle()

  static func metrics(renewing page: String) -> String {
    let rows = Dictionary(
      DocumentFormat.markdown.render(Listing(metrics: Metrics.all).document, style)
        .split(separator: "\n").compactMap { row in
          name(ofRow: row).map { ($0, String(row)) }
        }, uniquingKeysWith: { first, _ in first })
    return page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      name(ofRow: line).flatMap { rows[$0] } ?? String(line)
    }.joined(separator: "\n")
  }

  static func name(ofRow line: Substring) -> String? {
    line.prefixMatch(of: /\| `([a-z0-9_]+)` \|/).map { String($0.output.1) }
  }

  // MARK: Exit statuses

  /// Replaces the table of statuses and the paragraph below it.
  static func exitStatuses(renewing page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let before = lines.prefix { $0 != "| status | meaning |" }
    let after = lines.dropFirst(before.count).drop { $0.hasPrefix("|") }.dropFirst().drop {
      !$0.isEmpty
    }
    let statuses = Judging.ExitStatus.self
    let rows = statuses.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    let table = ["| status | meaning |", "| :--- | :--- |"] + rows + ["", statuses.rule]
    return (before + table + after).joined(separator: "\n")
  }

  // MARK: The environment file

  static func environment() throws -> String {
    let page = try text("Documentation/Reference/Environment.md")
    let list = page.range(of: "\n- `")?.lowerBound ?? page.endIndex
    return page[..<list] + "\n"
      + MachineReading.properties.map { property in
        let check = property.check.map { " (doctor *\($0(MachineReading()).subject)*)" } ?? ""
        return "- `\(property.key)`: \(property.meaning)\(check)\n"
      }.joined()
  }

  // MARK: Topologies

  static func topologies(renewing page: String) throws -> String {
    let headers = try headers()
    var told: Set<String> = []
    let sections = Topologies.builtIn.map { topology -> String in
      let header = headers.first { $0.isAbout(topology.name) }
      let isNew = header.map { told.insert($0.title).inserted } ?? false
      return section(topology, isNew ? header : nil, sameAs: isNew ? nil : header)
    }
    return ([introduction(page.firstMatch(of: table).map { String($0.output) })] + sections)
      .joined(separator: "\n") + "\n"
  }

  /// scripts/readme writes the table between these comments.
  private static var table: Regex<Substring> {
    /<!-- topologies: scripts\/readme -->\n(?s:.*)<!-- end of topologies -->/
  }

  private static func introduction(_ table: String?) -> String {
    """
    # Topologies: how a change travels

    **Choose**

    - for a list of managed objects: [container](#container) or [notification-merge](#notification-merge), with saves of
      a few hundred rows;
    - if a save must hold thousands of rows: [sliced-merge](#sliced-merge);
    - for a screen that shows values: [background-snapshot](#background-snapshot), or GRDB with [grdb-pool](#grdb-pool);
    - with SwiftData: [swiftdata](#swiftdata), with few saves and small queries on main.

    \(table ?? "<!-- topologies: scripts/readme -->\n<!-- end of topologies -->")

    Other names, each with its nearest topology:

    | name | nearest | difference |
    | :--- | :--- | :--- |
    | `@FetchRequest`, `NSFetchedResultsController` on main | [container](#container) | they are main's list; the wiring around them decides what it costs |
    | `@ModelActor` | [swiftdata](#swiftdata) | created on main, it works there: [swiftdata-on-main](#swiftdata-on-main) |
    | `ResultsObserver` (iOS 27) | [swiftdata](#swiftdata) | as `@Query`, outside of views; it also has sections |
    | `HistoryObserver` (iOS 27) | [batch-insert](#batch-insert) | it tells that the history grew; the app reads it |
    | nonisolated async functions that run where they are called (Swift 6.2) | [main-only](#main-only) | `@concurrent` takes them off main |
    | SQLiteData, GRDBQuery | [grdb-pool](#grdb-pool) | property wrappers around the same observations |
    | Realm | [grdb-pool](#grdb-pool) | its objects are live: main's next read moves to the newest version by itself |

    An arrow points from a context to the one that it saves into; the coordinator writes to SQLite. The linked files also say
    how long a worker context lives and when a change counts as saved.

    """
  }

  private static func section(
    _ topology: TopologyDescriptor, _ header: SourceHeader?, sameAs other: SourceHeader?
  ) -> String {
    var blocks = ["## \(topology.name)", topology.summary]
    blocks += header?.pictures ?? ["```text\n\(topology.wiring)\n```"]
    let refusals = topology.refusalSentences.joined(separator: " ")
    let facts = [
      ("Cost on main", topology.mainCosts),
      ("Choose it", topology.chooseWhen),
      ("Store", topology.fixedStoreMode.map { "\($0.rawValue) only." }),
      ("Refuses", refusals.isEmpty ? nil : refusals),
      ("More", (header ?? other).map(\.link)),
    ]
    let lines = facts.compactMap { name, text in text.map { "- **\(name):** \($0)" } }
    if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func headers() throws -> [SourceHeader] {
    try ["", "/Wirings", "/SlicedMerge", "/Peers"].map { "Sources/Topologies\($0)" }.flatMap {
      folder in
      try FileManager.default.contentsOfDirectory(
        atPath: root.appending(path: folder).path
      ).sorted().filter { $0.hasSuffix(".swift") }
        .compactMap { SourceHeader(try text("\(folder)/\($0)"), path: "\(folder)/\($0)") }
    }
  }
}

struct SourceHeader {
  let title: String
  private let path: String
  private let lines: [Substring]

  /// Nil unless the file opens with a title that begins with a topology's name.
  init?(_ source: String, path: String) {
    self.path = path
    let comment = source.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("//") }
      .prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
      .map { $0.dropFirst(2) }
    guard let first = comment.first, first.contains(": ") else { return nil }
    title = String(first.drop { $0 == " " })
    lines = Array(comment.dropFirst())
  }

  func isAbout(_ name: String) -> Bool {
    let names = title.prefix { $0 != ":" }.split(separator: " ")
    return names.contains { $0 == name } || names.contains { name == "\($0)-nowait" }
  }

  var link: String { "[\(path.split(separator: "/").last ?? "")](../../\(path))" }

  /// Indented lines, apart from text.
  var pictures: [String] {
    lines.split { !$0.hasPrefix("   ") && !$0.allSatisfy { $0 == " " } }
      .map { part in part.filter { !$0.allSatisfy { $0 == " " } }.map { $0.dropFirst(3) } }
      .filter { !$0.isEmpty }
      .map { "```text\n\($0.joined(separator: "\n"))\n```" }
  }
}
