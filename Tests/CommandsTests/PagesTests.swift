import Foundation
import Measurement
import Testing
import Topologies

@Suite struct PagesTests {
  private static let isRenewing =
    ProcessInfo.processInfo.environment["TOPOBENCH_RENEW_PAGES"] != nil

  private func expect(_ page: String, toRead expected: String) throws {
    if Self.isRenewing {
      try Data(expected.utf8).write(
        to: DocumentationPages.root.appending(path: "Documentation/Reference/\(page)"))
    }
    let text = try DocumentationPages.text("Documentation/Reference/\(page)")
    let line = zip(text.split(separator: "\n"), expected.split(separator: "\n"))
      .first { $0 != $1 }
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

  @Test func `the page of topologies agrees with their files and descriptors`() throws {
    let page = try DocumentationPages.topologies()
    try expect("Topologies.md", toRead: page)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(headings == Topologies.builtIn.map { "## \($0.name)" })
    let pictures = page.split(separator: "```text").count - 1
    #expect(pictures >= Topologies.builtIn.count)
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
}
