import Foundation
import Reports
import SQLiteStore
import Topologies

/// The pages of the documentation that say what the sources say, made anew from them.
///
/// With `TOPOBENCH_RENEW_PAGES` set, the test that compares them writes them first.
enum DocumentationPages {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  // MARK: Metrics

  private static let style = TextStyle(width: nil, isUTF8: true, hasColor: false)

  /// The page of metrics with each row of its tables as the definitions have it.
  static func metrics(renewing page: String) -> String {
    let rows = Dictionary(
      MetricsList.render(as: .markdown, style: style).split(separator: "\n").compactMap { row in
        name(ofRow: row).map { ($0, String(row)) }
      }, uniquingKeysWith: { first, _ in first })
    return page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      name(ofRow: line).flatMap { rows[$0] } ?? String(line)
    }.joined(separator: "\n")
  }

  /// The metric that a row of a table is about.
  static func name(ofRow line: Substring) -> String? {
    line.prefixMatch(of: /\| `([a-z0-9_]+)` \|/).map { String($0.output.1) }
  }

  // MARK: Topologies

  /// Each topology with its picture, from the comment that its file opens with, and what its
  /// descriptor says.
  static func topologies() throws -> String {
    let headers = try headers()
    var told: Set<String> = []
    let sections = Topologies.builtIn.map { topology -> String in
      let header = headers.first { $0.isAbout(topology.name) }
      let isNew = header.map { told.insert($0.title).inserted } ?? false
      return section(topology, isNew ? header : nil, sameAs: isNew ? nil : header)
    }
    return ([introduction] + sections).joined(separator: "\n") + "\n"
  }

  private static let introduction = """
    # How a change travels in each topology

    Each topology's wiring, the way of a background change, the cost on main, and when to choose it.

    `scripts/docs --renew` generates this page; a test (`PagesTests`) checks that it is current. The pictures
    and their text are the opening comments of the files in `Sources/Topologies`. The rest is the output of
    `topobench list topologies`. An arrow points from a context to the one that it saves into. The coordinator
    writes to SQLite.

    """

  private static func section(
    _ topology: TopologyDescriptor, _ header: SourceHeader?, sameAs other: SourceHeader?
  ) -> String {
    var blocks = ["## \(topology.name)", topology.summary, "```text\n\(topology.wiring)\n```"]
    blocks += header?.blocks ?? []
    if let other { blocks.append("For the picture, see above: \(other.title)") }
    let refusals = topology.refusalSentences.joined(separator: " ")
    let names = topology.knownAs.map { "`\($0)`" }.joined(separator: ", ")
    let facts = [
      ("Known as", names.isEmpty ? nil : names), ("Cost on main", topology.mainCosts),
      ("Choose it", topology.chooseWhen),
      ("Store", topology.fixedStoreMode.map { "\($0.rawValue) only." }),
      ("Refuses", refusals.isEmpty ? nil : refusals),
    ]
    let lines = facts.compactMap { name, text in text.map { "- **\(name):** \($0)" } }
    if !lines.isEmpty { blocks.append(lines.joined(separator: "\n")) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  /// The opening comments of the topologies' files.
  private static func headers() throws -> [SourceHeader] {
    try ["", "/Wirings", "/SlicedMerge", "/Peers"].map { "Sources/Topologies\($0)" }.flatMap {
      folder in
      try FileManager.default.contentsOfDirectory(
        atPath: root.appending(path: folder).path
      ).sorted().filter { $0.hasSuffix(".swift") }
        .compactMap { SourceHeader(try text("\(folder)/\($0)")) }
    }
  }
}

/// The opening comment of a topology's file: a title, pictures and text.
struct SourceHeader {
  let title: String
  private let lines: [Substring]

  /// Nil if the file does not open with a title that begins with a topology's name.
  init?(_ source: String) {
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

  /// Paragraphs of text, and pictures: what is indented.
  var blocks: [String] {
    var blocks: [(isPicture: Bool, lines: [String])] = []
    var isApart = true
    for line in lines {
      let isPicture = line.hasPrefix("   ")
      guard !line.allSatisfy({ $0 == " " }) else {
        isApart = true
        continue
      }
      let text = String(isPicture ? line.dropFirst(3) : line.drop { $0 == " " })
      if let last = blocks.last, last.isPicture == isPicture, isPicture || !isApart {
        if isApart { blocks[blocks.count - 1].lines.append("") }
        blocks[blocks.count - 1].lines.append(text)
      } else {
        blocks.append((isPicture, [text]))
      }
      isApart = false
    }
    return blocks.map { block in
      block.isPicture
        ? "```text\n\(block.lines.joined(separator: "\n"))\n```"
        : block.lines.joined(separator: "\n")
    }
  }
}
