import Foundation
import Measurement
import Testing

@Suite("A package with a topology and scenario of its own")
struct ExamplePackageTests {
  private static let package = CommandRun.root.appendingPathComponent("Tests/ExamplePackage")
  private let command = CommandRun()

  @Test func `topologies of a package do the same work as the built-in ones`() throws {
    let scenario = Self.package.appendingPathComponent("Scenarios/shops.yaml").path
    let outcome = try command.run(
      [
        "--scenario", scenario, "--topology", "late-merge", "--topology", "shared-root",
        "--topology", "batch-actor", "--topology", "main-actor-import", "--topology",
        "notification-merge", "--store", "both", "--trials", "1", "--set", "repeat_for_ms=1",
        "--output", "a.csv",
      ], command: "my-topobench", expecting: 0)
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.status) == Array(repeating: .ok, count: 10), "\(cells.map(\.error))")
    #expect(
      Set(cells.map(\.topology))
        == ["late-merge", "shared-root", "batch-actor", "main-actor-import", "notification-merge"])
    #expect(Set(cells.map(\.fingerprint)).count == 1)
    #expect(outcome.output.contains("late-merge"))
  }

  @Test func `a topology of a package may save the user's edits without main`() throws {
    let scenario = Self.package.appendingPathComponent("Scenarios/shops.yaml").path
    try command.run(
      "--scenario", scenario, "--topology", "main-actor-import", "--trials", "1", "--set",
      "repeat_for_ms=1", "--set", "user.edits_per_s=50", "--set", "horizon_ms=300", "--output",
      "a.csv", command: "my-topobench")
    let cell = try #require(try command.cells("a.csv").first)
    #expect([.ok, .suspect].contains(cell.status), "\(cell.error)")
    // The worker saves on main, and only edits run statements elsewhere.
    #expect(cell.metrics[.workerStatements] ?? 0 > 0)
  }

  @Test func `the city list is the same in every topology`() throws {
    for (name, year) in [("before.csv", 2023), ("after.csv", 2026)] {
      let file = CommandRun.root.appendingPathComponent("Scenarios/data/cities-\(year).csv")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      try command.write(lines.prefix(301).joined(separator: "\n"), to: name)
    }
    let usage = try command.run(
      "grdb-pool", "before.csv", "after.csv", command: "city-list", expecting: 64)
    let known = usage.output.split(separator: "\n").last ?? ""
    let names = known.split(separator: " ").dropFirst().map { String($0).replacing(",", with: "") }
    #expect(names.count > 10 && names.contains("notification-merge"))
    let outputs = try names.map { name in
      try command.run(name, "before.csv", "after.csv", command: "city-list", expecting: 0).output
    }
    #expect(Set(outputs).count == 1, "\(zip(names, outputs).map { "\($0): \($1)" })")
    #expect(outputs.first?.contains("300 cities changed, 0 gone") == true)
  }

  @Test func `topologies of a package are listed with their wiring`() throws {
    let outcome = try command.run(["list", "topologies"], command: "my-topobench")
    #expect(outcome.output.contains("late-merge"))
    #expect(outcome.output.contains("every did-save merged at the end"))
    #expect(outcome.output.contains("batch-actor"))
  }

  @Test func `a topology takes fewer than 80 lines`() throws {
    let files = [
      "Sources/my-topobench/LateMerge.swift", "Sources/my-topobench/main.swift",
      "Scenarios/shops.yaml",
    ]
    let lines = try files.reduce(0) { sum, file in
      let text = try String(contentsOf: Self.package.appendingPathComponent(file), encoding: .utf8)
      return sum + text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect(lines < 80)
  }
}
