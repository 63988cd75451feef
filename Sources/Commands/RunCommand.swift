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
    abstract: "Measure topologies in a scenario, and say which keeps main free.",
    discussion: """
      Each cell (scenario × topology × store × trial) runs in a process of its own; its row is on \
      disk before the next starts. The answer goes to standard output, all else to standard error. \
      Ctrl-C keeps what was measured.
      """)

  @OptionGroup var options: RunOptions

  func run() async throws {
    let prepared = try PreparedRun(options)
    defer { prepared.clean() }
    let interrupts = Interrupts()
    interrupts.listen()
    let cells = try await options.awake.whileAwake { try await prepared.measure(interrupts) }
    prepared.answer(cells)
    prepared.clean()
    throw ExitCode(ExitStatus.of(cells, isInterrupted: interrupts.isInterrupted).rawValue)
  }
}

/// A run whose options were found right, and whose files are there.
struct PreparedRun {
  let options: RunOptions
  let results: ResultsFile
  /// The cells that an interrupted run has finished.
  let finished: [CellResult]
  private(set) var request: RunRequest
  /// Before the first cell.
  private let load: Double?

  init(_ options: RunOptions) throws {
    self.options = options
    try options.requireSense()
    request = try RunRequest(options, folder: options.files.makeFolder())
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
        finished = try results.goOn(with: &request, in: environment)
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
    try await ProgressDisplay.show(if: !options.quiet && !options.noProgress) {
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
  /// Prints what came out on standard output, and where the rows are on standard error.
  func answer(_ cells: [CellResult]) {
    let isComplete = cells.count == request.plan.cells.count
    if !isComplete {
      Messages.say("Interrupted: \(cells.count) of \(request.plan.cells.count) cells are kept.")
    }
    if results.csv != nil, !cells.isEmpty {
      let summary = Summary(cells: cells, context: context(isComplete: isComplete))
      print(Answer.render(summary, as: options.format, style: .standardOutput), terminator: "")
    }
    if let csv = results.csv, !options.quiet { Messages.say("Rows: \(csv.path)") }
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

extension Scenario {
  /// What decides the answer, each a short clause.
  var choices: [String] {
    let user = user.fetchesPerSecond + user.editsPerSecond + list.scrollRowsPerSecond
    let costs = [
      drawing.delta, drawing.cell, drawing.reload, drawing.frame, drawing.snapshotItem,
    ]
    return [
      changes.perSave.map { "\($0) changes per save" } ?? "all changes in one save",
      find == .perBatch ? "one IN fetch per batch" : "one fetch per object",
      disk,
      realisedRows,
      user == 0 ? "the user was idle" : "the user was active",
      "\(list.frameRate.formatted()) Hz",
      costs.allSatisfy { $0 == .zero } ? "drawing cost nothing" : "drawing had a cost",
    ].compactMap { $0 }
  }

  private var disk: String? {
    storage == .phone ? "the disk was slowed down to a phone's" : nil
  }

  private var realisedRows: String {
    if realisedShare > 0 {
      return "\((realisedShare * 100).formatted()) % of main's rows were realised"
    }
    return switch realised {
    case .none: "no row of the list was realised"
    case .visible: "\(list.visibleRows) visible rows of the list were realised"
    case .all: "all rows of the list were realised"
    }
  }
}

extension TextStyle {
  static var standardOutput: TextStyle {
    let environment = ProcessInfo.processInfo.environment
    return TextStyle(
      environment: environment, isTerminal: Terminal.isStandardOutput, columns: Terminal.columns)
  }
}
