import Foundation
import Measurement
import Testing

// `swift build --build-tests` builds Snippets too, because this package is the root package.
@Suite("The programs in Snippets")
struct SnippetTests {
  private static let folder = CommandRun.root.appendingPathComponent("Snippets")
  /// They take arguments.
  private static let commands: Set = ["judge-a-report", "own-topology"]
  private let command = CommandRun()

  @Test func `each prints what its last comment says`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .map { $0.replacing(".swift", with: "") }
    #expect(names.count >= 10)
    #expect(Self.commands.isSubset(of: names))
    for name in names where !Self.commands.contains(name) {
      #expect(try command.run([], command: name, expecting: 0).output == promised(by: name))
    }
  }

  @Test func `a topology of one's own is measured beside a built-in one`() throws {
    let arguments = CommandRun.small("merge-at-once", "notification-merge")
    try command.run(arguments, command: "own-topology", expecting: 0)
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.status) == [.ok, .ok], "\(cells.map(\.error))")
    #expect(Set(cells.map(\.fingerprint)).count == 1)
  }

  @Test func `a report is judged by its pairs of trials`() throws {
    let rows = (1...8).flatMap {
      ["container,\($0),ok,\"{\"\"a\"\":[1,2]}\",\($0)", "other,\($0),ok,,\($0 + 1)"]
    }
    let failed = ["container,9,crashed,,", "other,9,ok,,1"]
    let header = "topology,trial,status,parameters,main_longest_gap_ms"
    try command.write(([header] + rows + failed).joined(separator: "\n"), to: "a.csv")
    let outcome = try command.run(
      "a.csv", "container", "other", command: "judge-a-report", expecting: 0)
    #expect(outcome.output == (try promised(by: "judge-a-report")))
  }

  /// The lines after `// Prints`, without their slashes.
  private func promised(by name: String) throws -> String {
    let file = Self.folder.appendingPathComponent("\(name).swift")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("// Prints") }, "\(name)")
    return lines[lines.index(after: start)...].map { $0.dropFirst(3) + "\n" }.joined()
  }
}
