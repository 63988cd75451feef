import Foundation
import Harness
import Measurement

// From options to a run that can start, or go on.

extension RunOptions {
  /// Finds the mistakes that need no scenario to be seen.
  func requireSense() throws {
    try cells.requireSense()
    try awake.requireSense()
    try RowsOutput.requireRoom(on: files.output, format: format, isRecorded: files.record)
    guard files.resume else { return }
    if files.force {
      throw UsageError("--resume keeps what --force would write over; give one of them")
    }
    if files.output == nil || files.output == "-" {
      throw UsageError("--resume: name the CSV file of the run to go on with by --output")
    }
  }
}

extension CellOptions {
  func requireSense() throws {
    guard timeout > 0, timeout <= Self.longestTimeout else {
      throw UsageError(
        "--timeout: \(timeout) is not a number of seconds above 0, up to a day (86400)")
    }
  }

  /// The part of the plan that this machine is to measure.
  func part(of plan: Plan) throws -> Plan {
    guard let text = shard else { return plan }
    guard let shard = Shard(text) else {
      throw UsageError(
        "--shard: '\(text)' is not I/N, such as 2/8: N machines, up to \(Shard.largestCount), of"
          + " which this is the I-th, from 1")
    }
    let part = plan.part(shard)
    guard !part.cells.isEmpty else {
      throw UsageError(
        "--shard: \(shard) has no round to measure: there are \(plan.trials.count); name fewer"
          + " machines, or more --trials")
    }
    return part
  }
}

extension WorkOptions {
  /// What a run measures, and in which order.
  func resolvedPlan(_ cells: CellOptions) throws -> (scenarios: [RunScenario], plan: Plan) {
    try cells.requireSense()
    let scenarios = try resolvedScenarios()
    let topologies = try resolvedTopologies()
    let plan = Plan(
      variants: try variants(scenarios, topologies),
      trials: try resolvedTrials(scenarios, topologies: topologies.count), seed: seed)
    return (scenarios, try cells.part(of: plan))
  }
}

extension RunRequest {
  /// - Parameter folder: makes the folder for the cells' stores, once all else was found right.
  init(_ options: RunOptions, folder: @autoclosure () throws -> URL) throws {
    let (scenarios, plan) = try options.work.resolvedPlan(options.cells)
    let keep = try options.files.keepFolder()
    self.init(
      scenarios: scenarios, plan: plan, seed: options.work.seed, folder: try folder(),
      timeLimit: .seconds(options.cells.timeout), executable: Executable.path)
    label = options.cells.label
    gitSHA = Executable.revision
    keepStores = keep
  }
}

extension MachineEnvironment {
  static func capture(of request: RunRequest, keepsAwake: Bool) -> MachineEnvironment {
    var environment = capture(
      version: RootCommand.version, gitSHA: request.gitSHA, storesIn: request.folder,
      scenarios: request.scenarios.map(\.scenario), keepsAwake: keepsAwake)
    environment.runID = request.runID
    return environment
  }
}

extension ResultsFile {
  /// Takes up what the files hold, if it is the same run, and says so.
  ///
  /// - Returns: its cells, which need not run again.
  func goOn(with request: inout RunRequest, in environment: MachineEnvironment) throws
    -> [CellResult]
  {
    guard let csv else { return [] }
    let run = try InterruptedRun(reading: csv)
    try run.check(request, in: environment)
    if let runID = run.runID { request.runID = runID }
    var now = environment
    now.runID = request.runID
    let finished = run.cells
    if run.isChangedByResuming(finished.count < request.plan.cells.count) {
      try take(up: run, in: now)
    }
    if run.runID != nil { Messages.say(run.told(of: request.plan.cells.count)) }
    return finished
  }
}

extension InterruptedRun {
  fileprivate func isChangedByResuming(_ hasMore: Bool) -> Bool {
    hasMore || isTorn || !rowless.isEmpty
  }

  fileprivate func told(of planned: Int) -> String {
    let torn = isTorn ? " Its last row was cut off;" : ""
    let restored =
      switch (isTorn, rowless.count) {
      case (false, 0): ""
      case (true, 0): " the cell is measured again."
      case (_, let count): " \(count) row(s) were restored from the cells' documents."
      }
    return "Resuming: \(cells.count) of \(planned) cells are there.\(torn)\(restored)"
  }
}

extension ExitStatus {
  /// Of a run that gave these cells.
  static func of(_ cells: [CellResult], isInterrupted: Bool) -> ExitStatus {
    var all: [ExitStatus] = isInterrupted ? [.interrupted] : []
    if cells.contains(where: { [.wrong, .crashed, .timeout].contains($0.status) }) {
      all.append(.badCell)
    }
    let suspect = cells.count { $0.status == .suspect }
    if suspect * 10 > cells.count { all.append(.inconclusive) }
    return worst(all)
  }
}
