package import ArgumentParser
import Foundation
import Harness
import Judging
import Workload

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the cells of a run in their order, without measuring.",
    usage: "topobench plan <options>",
    discussion: """
      Prints one JSON object a line. `topobench cell` runs one from its standard input, on this \
      machine or another. `topobench collect` makes a report of the cells' output.

      Examples:
        topobench plan --scenario 5000-cities > plan.jsonl
        parallel -j 1 --pipe -N 1 topobench cell < plan.jsonl > cells.jsonl
        topobench collect --plan plan.jsonl cells.jsonl --output report.csv
      """)

  @OptionGroup(title: "What is measured") var work: WorkOptions
  @OptionGroup(title: "How it is measured") var cells: CellOptions

  func run() async throws {
    let (scenarios, plan) = try work.resolvedPlan(cells)
    let runID = UUID().uuidString.lowercased()
    let output = StandardOutput()
    for cell in plan.cells {
      var line = CellSpecification(
        planned: cell, of: scenarios[cell.variant.scenario], runID: runID, seed: work.targets.seed)
      line.label = cells.label
      line.timeLimit = cells.limit.timeout
      try output.write(line.jsonText + "\n", "the plan")
    }
  }
}

package struct CellCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cell",
    abstract: "Run one cell: specification on standard input, document on standard output.",
    discussion: """
      Both are JSON of the protocol '\(CellSpecification.protocolVersion)'; the document is one line. \
      Anything else that the cell prints goes to standard error.

      A line of `topobench plan` is a specification for any machine. The cell gets a folder in \
      TMPDIR, its own process and a time limit. It runs again if it is suspect, and has a document \
      even if it crashes. The exit status is 0 if there is a document; `topobench collect` reports \
      bad cells.

      Examples:
        topobench plan --scenario 5000-cities | head -n 1 | topobench cell
      """)

  @Flag(help: "Check the specification without measuring.")
  var check = false

  package init() {}

  package func run() async throws {
    let output = try StandardOutput.reserve()
    let input = try StandardStreams.read()
    if check {
      let answer = CellCheck(
        of: input, topobench: Executable.version, gitSHA: Executable.notedRevision,
        topologies: KnownTopologies.all)
      return try output.write(answer.jsonText, "the check")
    }
    let specification = try Self.specification(from: input)
    let document =
      specification.isPlanned
      ? try await supervised(specification)
      : await CellRunner(topologies: KnownTopologies.all).run(specification)
    try output.write(document.jsonText + "\n", "the document")
  }

  private static func specification(from input: Data) throws -> CellSpecification {
    let specification: CellSpecification
    do {
      specification = try JSONDecoder().decode(CellSpecification.self, from: input)
    } catch {
      throw UsageError(
        "standard input is not the specification of a cell: \(error.inJSON)."
          + " `topobench plan` prints specifications")
    }
    if let limit = specification.timeLimit, !CellSpecification.isTimeLimit(limit) {
      throw UsageError(
        "standard input: 'timeLimit' is \(limit), not a number of seconds above 0, up to 86400")
    }
    return specification
  }

  private func supervised(_ line: CellSpecification) async throws -> CellDocument {
    let interrupts = Interrupts()
    interrupts.listen()
    let file = try scenarioFile(of: line)
    let folder = try DiskOption.makeTemporaryFolder()
    defer { RunFolder.remove(folder) }
    let document = try await line.runPlanned(
      scenario: file, under: folder, executable: Executable.path, version: Executable.version,
      gitSHA: Executable.revision, interrupts: interrupts)
    guard let document else { throw ExitCode(.interrupted) }
    return document
  }

  /// The plan's file, or this machine's scenario of that name. The cell checks its digest.
  private func scenarioFile(of line: CellSpecification) throws -> String {
    guard !FileManager.default.fileExists(atPath: line.scenarioFile) else {
      return line.scenarioFile
    }
    return try ScenarioLibrary.find(folder: nil).file(of: line.scenario)
  }
}

extension Encodable {
  /// In one line.
  fileprivate var jsonText: String {
    get throws { String(decoding: try JSONEncoder.sorted().encode(self), as: UTF8.self) }
  }
}
