import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports
import Workload

struct CollectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Merge cells and shards of one run into one report.",
    usage: "topobench collect [<file> ...] <options>",
    discussion: """
      Reads the output of `topobench cell`, one document a line, and the CSV files of shards. Writes \
      the rows in the run's order. Exit status as for `topobench run`; 3 also if a cell of --plan is \
      missing.

      Examples:
        topobench collect cells.jsonl --output report.csv
        topobench collect shard-1.csv shard-2.csv --output report.csv
      """)

  @Argument(
    help: .init("Files of documents, or CSV reports. Default: standard input.", valueName: "file"))
  var files: [String] = []
  @Option(help: "Output of `topobench plan`, to find missing cells.")
  var plan: String?
  @Option(
    help: .init(
      "CSV file to write; `-` for standard output, with the answer on standard error. Default:"
        + " results/<scenario>-<time>.csv.",
      valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite existing files.") var force = false
  @Option(help: "Format of the answer.")
  var format: Answer.Format = .table
  @OptionGroup var answer: AnswerOptions
  @Flag(help: "Print only the answer.") var quiet = false

  func run() async throws {
    try RowsOutput.requireRoom(on: output, format: format)
    let collection = try collected()
    try collection.requireOneRun()
    let missing = try plan.map { try collection.missing(of: Self.plan(in: $0)) } ?? []
    let cells = collection.cells
    let path = output ?? ResultsFile.defaultPath(scenarios: cells.map(\.scenario), at: Date())
    // Writing over an input would keep its rows, but not the documents and recordings of its cells.
    try ReportOutput(path: path, force: true).check(against: files)
    let results = try ResultsFile(path: path, force: force)
    try collection.write(to: results)
    report(missing)
    let summary = Summary(
      cells: cells, context: RunContext([collection.environment].compactMap { $0 }))
    try show(summary, in: results)
    var status = [ExitStatus.of(summary, isInterrupted: false)]
    if !missing.isEmpty { status.append(.badCell) }
    throw ExitCode(.worst(status))
  }

  private func collected() throws -> CellCollection {
    var collection = CellCollection()
    if files.isEmpty {
      try collection.add(StandardStreams.read(), from: "standard input")
    }
    for file in files { try collection.add(file) }
    return collection
  }

  private static func plan(in file: String) throws -> [CellSpecification] {
    try CellDocuments.lines(of: CellCollection.data(of: file)).map { number, line in
      do {
        return try JSONDecoder().decode(CellSpecification.self, from: line)
      } catch {
        throw UsageError(
          "--plan: '\(file)', line \(number) is not a line of a plan: \(error.inJSON)")
      }
    }
  }

  private func show(_ summary: Summary, in results: ResultsFile) throws {
    if !quiet, let csv = results.csv { Messages.say("Rows: \(csv.path)") }
    try answer.show(summary, as: format, isQuiet: quiet, besideRows: results.csv == nil)
  }

  private func report(_ missing: [String]) {
    guard !missing.isEmpty else { return }
    Messages.say(
      "Missing: \(missing.cut(most: 10)). Run their lines of the plan, then collect again with"
        + " --force.")
  }
}
