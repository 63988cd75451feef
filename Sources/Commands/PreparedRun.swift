import Foundation
import Harness
import Judging
import Measurement
import Reports
import SQLiteStore
import Workload

struct PreparedRun {
  private let options: RunOptions
  private let results: ResultsFile
  private let finished: [CellResult]
  private let request: RunRequest
  private let environment: MachineEnvironment
  /// Watches the host's other guests while cells run.
  private let watch = ProcessorWatch()

  init(_ options: RunOptions, counting parts: [String]? = nil) throws {
    self.options = options
    try options.awake.checkMachine()
    if parts != nil { try Callgrind.requireTools() }
    var request = try RunRequest(
      options, counting: parts, folder: options.files.storage.makeFolder())
    do {
      var environment = MachineEnvironment.capture(
        storesIn: request.folder, scenarios: request.scenarios, keepsAwake: options.awake.keepAwake)
      environment.run.id = request.runID
      environment.run.planned = request.plannedCells
      environment.machine.failures.forEach(Messages.say)
      let scenarios = request.scenarios.map(\.scenario.name)
      let path = options.files.output ?? ResultsFile.defaultPath(scenarios: scenarios, at: Date())
      results =
        options.files.resume
        ? try ResultsFile(resuming: path) : try ResultsFile(path: path, force: options.files.force)
      if options.files.record { request.recordBeside = results.csv?.absoluteURL }
      finished = try results.begin(&request, in: &environment, resume: options.files.resume)
      self.environment = environment
      self.request = request
      if !options.output.quiet, options.cells.shard == nil, parts == nil {
        request.warnOfFewTrials()
      }
    } catch {
      RunFolder.remove(request.folder)
      throw error
    }
  }

  func measure(_ interrupts: Interrupts) async throws -> [CellResult] {
    var request = request
    if let parts = request.countedParts {
      request.callgrind = try await Callgrind.prepare(
        request.executable, in: request.folder, parts: parts, interrupts: interrupts)
    }
    return try await ProgressDisplay.show(if: options.output.showsProgress) { [request] in
      try await Runner(
        request, results: results, interrupts: interrupts, finished: finished, observer: $0,
        kept: { _ = try noteSteal() }
      ).run()
    }
  }

  /// Writes the steal since the start, after each cell, because the next may be the last before a
  /// SIGKILL.
  private func noteSteal() throws -> MachineEnvironment {
    var environment = environment
    environment.note(steal: watch.stolen)
    try results.write(environment)
    return environment
  }

  func clean() { RunFolder.remove(request.folder) }

  /// Prints the answer on standard output and the rows' path on standard error.
  func answer(_ cells: [CellResult]) throws -> Summary {
    let environment = cells.count > finished.count ? try noteSteal() : environment
    let summary = Summary(cells: cells, context: RunContext([environment]))
    try show(summary, cells)
    return summary
  }

  private func show(_ summary: Summary, _ cells: [CellResult]) throws {
    let planned = request.plan.cells.count
    if cells.count < planned {
      Messages.say("Interrupted: \(cells.count) of \(planned) cells are kept.")
    }
    defer {
      if !options.output.quiet, let csv = results.csv { Messages.say("Rows: \(csv.path)") }
    }
    guard !cells.isEmpty else { return }
    try options.answer.show(
      summary, as: options.format, isQuiet: options.output.quiet,
      besideRows: results.csv == nil)
  }
}

extension RunRequest {
  /// `folder` is called after all checks.
  fileprivate init(
    _ options: RunOptions, counting parts: [String]?, folder: @autoclosure () throws -> URL
  ) throws {
    var work = options.work
    if parts != nil { work.trials = work.trials ?? 1 }
    let (scenarios, plan) = try work.resolvedPlan(options.cells)
    let keep = try options.files.keepFolder()
    self.init(
      scenarios: scenarios, plan: plan, seed: options.work.targets.seed, folder: try folder(),
      timeLimit: options.cells.limit.duration, executable: Executable.path)
    countedParts = parts
    label = options.cells.label
    gitSHA = Executable.revision
    keepStores = keep
  }

  /// The number of planned cells of each section.
  fileprivate var plannedCells: [CellKey: Int] {
    Dictionary(
      plan.cells.map { (scenarios[$0.variant.scenario].key(of: $0.variant).section, 1) },
      uniquingKeysWith: +)
  }

  fileprivate func warnOfFewTrials() {
    let keys = Set(plan.cells.map { scenarios[$0.variant.scenario].key(of: $0.variant) })
    let stores = StoreModes(keys)
    let topologies =
      Dictionary(grouping: keys) { stores.section(of: $0) }.values.map(\.count).max() ?? 0
    guard topologies > 1, plan.trials.count < Trials.needed(topologies: topologies) else { return }
    Messages.say(
      Phrases.tooFewTrials(
        plan.trials.count, toRank: topologies, needed: Trials.needed(topologies: topologies))
        + ". No rank will be shown.")
  }
}

extension ResultsFile {
  /// Writes the environment file, or continues the interrupted run. Leaves no new file if refused.
  ///
  /// - Returns: the finished cells.
  fileprivate func begin(
    _ request: inout RunRequest, in environment: inout MachineEnvironment, resume isResumed: Bool
  ) throws -> [CellResult] {
    do {
      if isResumed { return try resume(&request, in: &environment) }
      try write(environment)
      return []
    } catch {
      discard()
      throw error
    }
  }

  private func resume(
    _ request: inout RunRequest, in environment: inout MachineEnvironment
  ) throws -> [CellResult] {
    guard let csv else { return [] }
    let run = try InterruptedRun(reading: csv)
    try run.check(request, in: environment)
    removeDrafts()
    if let runID = run.runID { request.runID = runID }
    environment.run.id = request.runID
    let planned = request.plan.cells.count
    if run.cells.count < planned || run.isTorn || !run.rowless.isEmpty {
      environment = try take(up: run, in: environment)
    } else if let begun = run.environment {
      environment = begun
    }
    if run.runID != nil { Messages.say(run.summary(planned: planned)) }
    return run.cells
  }
}

extension InterruptedRun {
  fileprivate func summary(planned: Int) -> String {
    let torn = isTorn ? " Its last row was cut off;" : ""
    let restored =
      switch (isTorn, rowless.count) {
      case (false, 0): ""
      case (true, 0): " the cell is measured again."
      case (_, let count): " \(count) row(s) were restored from the cells' documents."
      }
    return "Resuming: \(cells.count) of \(planned) cells are finished.\(torn)\(restored)"
  }
}
