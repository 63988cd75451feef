import ArgumentParser
import Harness
import Judging
import Measurement
import Reports
import Support

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write medians for tools that follow them over commits.",
    discussion: """
      Instructions and exact counts, then times as multiples of raw_sqlite_ms. A figure that was \
      not measured is left out. Time and commit are the run's. Of a duet, the candidate counts.

      otava: CSV for Apache Otava, one row a run, oldest first. github-benchmark: JSON of one run \
      for github-action-benchmark, as customSmallerIsBetter. bencher: Bencher Metric Format.

      Examples:
        topobench export --format otava counts/*.csv > history.csv
        topobench export --format github-benchmark counts.csv > counts.json
      """)

  @Argument(help: .init("CSV reports; `-` is standard input.", valueName: "file"))
  var files: [String]
  @Option(help: "Format to write.") var format: ExportFormat
  @Option(
    help: .init("The only scenario to export.", valueName: "name"), completion: .measuredScenarios)
  var scenario: String?

  func run() throws {
    let runs = try runs()
    let left = format.holdsHistory ? runs.partialKeys : []
    if !left.isEmpty {
      Messages.say("Not every run has these, so they are left out: \(left.map(\.name).cut())")
    }
    try StandardOutput().write(format.render(runs), "the export")
  }

  private func runs() throws -> [RunMedians] {
    let cells = try ReportReader.rows(of: files).filter {
      scenario == nil || $0.scenario == scenario
    }
    guard Set(cells.map(\.isCounted)).count <= 1 else {
      throw UsageError("export: counted and timed cells; export their reports one after the other")
    }
    let runs = RunMedians.all(of: cells)
    try check(runs)
    return runs
  }

  private func check(_ runs: [RunMedians]) throws {
    let scenarios = runs.map(\.scenario).unique
    guard !runs.isEmpty else {
      throw UsageError("export: no cell\(scenario.map { " of '\($0)'" } ?? "") ended ok")
    }
    guard format.holdsHistory else {
      guard runs.map(\.run).unique.count == 1 else {
        throw UsageError("export: \(format.name) holds one run; name the report of one")
      }
      return
    }
    guard scenarios.count == 1 else {
      throw UsageError(
        "export: \(format.name) holds one scenario, not \(scenarios.count);"
          + " choose one with --scenario: \(scenarios.cut())")
    }
    guard !runs.sharedKeys.isEmpty else {
      throw UsageError("export: no figure is in all \(runs.count) runs; export fewer of them")
    }
  }
}

extension ExportFormat: ExpressibleByArgument {
  package init?(argument: String) {
    guard let format = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  package static var allValueStrings: [String] { all.map(\.name) }
}
