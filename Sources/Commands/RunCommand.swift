import ArgumentParser
import DataModel
import Foundation
import Harness
import Judging
import Measurement
import Reports
import SQLiteStore
import Topologies
import Workload

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure topologies in a scenario, and show which keeps main free.",
    discussion: """
      Each cell (scenario × topology × store × trial) runs in its own process. Its row is written \
      before the next cell starts. The answer goes to standard output, messages to standard error. \
      Ctrl-C keeps the finished cells.
      """)

  @OptionGroup var options: RunOptions

  func run() async throws {
    let prepared = try PreparedRun(options)
    defer { prepared.clean() }
    let interrupts = Interrupts()
    interrupts.listen()
    let cells = try await options.awake.whileAwake { try await prepared.measure(interrupts) }
    try prepared.answer(cells)
    prepared.clean()
    throw ExitCode(ExitStatus.of(cells, isInterrupted: interrupts.isInterrupted).rawValue)
  }
}

/// A run with valid options and open files.
struct PreparedRun {
  let options: RunOptions
  let results: ResultsFile
  /// The finished cells of a resumed run.
  let finished: [CellResult]
  private(set) var request: RunRequest
  /// The machine's load before the first cell, if it disturbs.
  private let load: Double?

  init(_ options: RunOptions) throws {
    self.options = options
    try options.awake.checkMachine()
    request = try RunRequest(options, folder: options.files.storage.makeFolder())
    do {
      let environment = MachineEnvironment.capture(
        of: request, keepsAwake: options.awake.keepAwake)
      load = environment.reading.disturbingLoad
      let path =
        options.files.output
        ?? ResultsFile.defaultPath(
          scenarios: request.scenarios.map(\.scenario.name), at: Date())
      if options.files.resume {
        results = try ResultsFile(resuming: path)
        finished = try results.resume(&request, in: environment)
      } else {
        results = try ResultsFile(path: path, force: options.files.force)
        finished = []
        try results.write(environment)
      }
      if options.files.record { request.recordBeside = results.csv?.absoluteURL }
    } catch {
      try? FileManager.default.removeItem(at: request.folder)
      throw error
    }
  }

  func measure(_ interrupts: Interrupts) async throws -> [CellResult] {
    try await ProgressDisplay.show(if: options.output.showsProgress) {
      try await Runner(
        request, results: results, interrupts: interrupts, finished: finished, observer: $0
      ).run()
    }
  }

  func clean() {
    try? FileManager.default.removeItem(at: request.folder)
  }
}

// MARK: - The answer

extension PreparedRun {
  /// Prints the answer on standard output and the rows' path on standard error.
  func answer(_ cells: [CellResult]) throws {
    let isComplete = cells.count == request.plan.cells.count
    if !isComplete {
      Messages.say("Interrupted: \(cells.count) of \(request.plan.cells.count) cells are kept.")
    }
    if results.csv != nil, !cells.isEmpty {
      let summary = Summary(cells: cells, context: context(isComplete: isComplete))
      print(try Answer.render(summary, as: options.format, style: .standardOutput), terminator: "")
    }
    if let csv = results.csv, !options.output.quiet { Messages.say("Rows: \(csv.path)") }
  }

  private func context(isComplete: Bool) -> Summary.Context {
    var context = Summary.Context()
    context.isDebugBuild = Machine.isDebugBuild
    context.load = load
    context.cores = Machine.cores
    if !isComplete {
      let sections = Set(
        request.plan.cells.map { "\($0.variant.scenario) \($0.variant.store.rawValue)" })
      context.plannedCells = request.plan.cells.count / sections.count
    }
    for run in request.scenarios {
      let setting = Summary.Setting(
        scenario: run.scenario.name, parameters: run.scenario.parametersJSON)
      context.defaults[setting] = run.scenario.choices + options.awake.choices
    }
    return context
  }
}
