import Foundation
import Measurement
import Testing

@Suite("Counted instructions, end to end", .timeLimit(.minutes(5)))
struct CountTests {
  private let command = CommandRun()

  static let hasValgrind = ["/usr/bin/valgrind", "/usr/local/bin/valgrind"]
    .contains(where: FileManager.default.isExecutableFile)

  private static let tiny = [
    "--scenario", CommandRun.fewCities, "--set", "data.rows=20", "--topology",
    "notification-merge", "--output", "a.csv",
  ]

  @Test(.enabled(if: hasValgrind)) func `a counted cell has instructions and no times`() throws {
    let outcome = try command.run(["--count"] + Self.tiny)
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains("Instructions do not show waits"))
    let cells = try command.cells("a.csv")
    #expect(cells.count == 1 && cells.allSatisfy { $0.isCounted && $0.status == .ok })
    for cell in cells {
      #expect(try #require(cell.metrics[.mainInstructions]) > 10_000)
      #expect(try #require(cell.metrics[.workerInstructions]) > 10_000)
      #expect(cell.metrics[.mainBlocked] == nil && cell.metrics[.total] == nil)
      #expect(Self.phases(cell).isEmpty)
    }
  }

  @Test(.enabled(if: hasValgrind), arguments: ["open", "scroll"])
  func `the phase that the scenario asks about is counted apart`(phase: String) throws {
    let outcome = try command.run(["--count"] + Self.tiny + ["--set", "asks_about=\(phase)"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let cell = try #require(try command.cells("a.csv").first)
    #expect(try #require(cell.metrics[.mainInstructions]) > 10_000)
    #expect(Self.phases(cell) == [phase])
  }

  /// The phases with instructions of their own.
  private static func phases(_ cell: CellResult) -> [String] {
    [("open", Metric.openInstructions), ("scroll", .scrollInstructions)]
      .filter { cell.metrics[$1] ?? 0 > 10_000 }.map(\.0)
  }

  @Test func `without valgrind, it says what to type`() throws {
    let process = command.process(["--count"] + Self.tiny)
    process.environment = ["PATH": "/nowhere"]
    let outcome = try command.finish(process)
    #expect(outcome.status == 1 && outcome.errors.contains("valgrind is missing"))
    #expect(outcome.errors.contains("apt-get install valgrind"))
  }
}
