import ArgumentParser
import Commands
import Foundation
import Harness
import Judging
import Measurement
import Reports

struct FindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Write the findings of a full run as a page or as JSON.",
    discussion: """
      The settings in which a gap passes a frame, which common advice holds, and for each scenario its \
      conclusion and a link to its rows. The machine comes from each report's environment file.

      Examples:
        scripts/lab findings results/full/*.csv > findings.md
        scripts/lab findings results/full/*.csv --format json > findings.json
      """)

  @Argument(help: .init("CSV reports of topobench, one per scenario.", valueName: "csv"))
  var files: [String]
  @Option(help: "Format of the page.") var format: FindingsPage.Format = .markdown

  func run() throws { try StandardOutput().write(Self.page(of: files, as: format), "the page") }

  static func page(of files: [String], as format: FindingsPage.Format = .markdown) throws -> String
  {
    let reports = try files.map(Findings.Report.init(reading:))
    return try FindingsPage(Findings(reports, advice: CommonAdvice.all)).render(as: format)
  }
}

extension FindingsPage.Format: ExpressibleByArgument {}

extension Findings.Report {
  init(reading path: String) throws {
    let csv = URL(fileURLWithPath: path)
    let cells = try ReportReader.rows(of: [path])
    guard let environment = MachineEnvironment(besides: path) else {
      throw UsageError(
        "'\(ResultsFile.environment(of: csv).path)' is not a readable environment file;"
          + " topobench writes it beside each report")
    }
    self.init(
      file: csv.lastPathComponent, machine: environment.inALine, questions: environment.questions,
      cells: cells.sorted { $0.order < $1.order }, context: RunContext([environment]))
  }
}

extension MachineEnvironment {
  fileprivate var inALine: String {
    func text(_ value: String?) -> String { value ?? Machine.unavailable }
    return "\(text(machine.cpu)), \(text(machine.cores.map(String.init))) cores,"
      + " \(text(machine.os)), Linux \(text(machine.kernel)), SQLite \(text(machine.sqlite)),"
      + " \(text(machine.build)) build of \(text(machine.gitSHA))"
  }
}
