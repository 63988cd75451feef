import Foundation
import Measurement
import Testing

@Suite("A reader's own topology and scenario")
struct ExamplePackageTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("ExamplePackage")
  private let command: CommandRun

  init() throws { command = try CommandRun() }

  @Test func `stand beside the built-in ones, and do the same work`() throws {
    let scenario = Self.package.appendingPathComponent("Scenarios/shops.yaml").path
    let outcome = try command.run(
      [
        "--scenario", scenario, "--topology", "late-merge", "--topology", "notification-merge",
        "--store", "both", "--trials", "1", "--set", "repeat_for_ms=1", "--output", "a.csv",
      ], command: "my-topobench")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.status) == Array(repeating: .ok, count: 4), "\(cells.map(\.error))")
    #expect(Set(cells.map(\.topology)) == ["late-merge", "notification-merge"])
    #expect(Set(cells.map(\.fingerprint)).count == 1)
    #expect(outcome.output.contains("late-merge"))
  }

  @Test func `are listed with their wiring`() throws {
    let outcome = try command.run(["list", "topologies"], command: "my-topobench")
    #expect(outcome.output.contains("late-merge"))
    #expect(outcome.output.contains("every did-save merged at the end"))
  }

  @Test func `take fewer than 80 lines`() throws {
    let files = [
      "Sources/my-topobench/LateMerge.swift", "Sources/my-topobench/main.swift",
      "Scenarios/shops.yaml",
    ]
    let lines = try files.reduce(0) { sum, file in
      let text = try String(
        contentsOf: Self.package.appendingPathComponent(file), encoding: .utf8)
      return sum + text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect(lines < 80)
  }
}
