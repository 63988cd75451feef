import Foundation
import Harness
import Measurement

// From options to a run that can start, or continue.

extension CellOptions {
  /// This machine's share of the plan.
  func part(of plan: Plan) throws -> Plan {
    guard let text = shard else { return plan }
    guard let shard = Shard(text) else {
      throw UsageError(
        "--shard: '\(text)' is not I/N, such as 2/8 for the second of eight machines;"
          + " at most \(Shard.largestCount) machines")
    }
    let part = plan.part(shard)
    guard !part.cells.isEmpty else {
      throw UsageError(
        "--shard: \(shard) has no round, because the run has \(plan.trials.count);"
          + " name fewer machines, or more --trials")
    }
    return part
  }
}

extension WorkOptions {
  /// The scenarios, and the cells in their order.
  func resolvedPlan(_ cells: CellOptions) throws -> (scenarios: [RunScenario], plan: Plan) {
    let scenarios = try resolvedScenarios()
    let topologies = try targets.resolvedTopologies()
    let plan = Plan(
      variants: try targets.variants(scenarios, topologies),
      trials: try resolvedTrials(scenarios, topologies: topologies.count), seed: targets.seed)
    return (scenarios, try cells.part(of: plan))
  }
}

extension RunRequest {
  /// - Parameter folder: makes the folder for the cells' stores, after all checks.
  init(_ options: RunOptions, folder: @autoclosure () throws -> URL) throws {
    let (scenarios, plan) = try options.work.resolvedPlan(options.cells)
    let keep = try options.files.keepFolder()
    self.init(
      scenarios: scenarios, plan: plan, seed: options.work.targets.seed, folder: try folder(),
      timeLimit: options.cells.limit.duration, executable: Executable.path)
    label = options.cells.label
    gitSHA = Executable.revision
    keepStores = keep
  }
}

extension MachineEnvironment {
  static func capture(of request: RunRequest, keepsAwake: Bool) -> MachineEnvironment {
    var environment = capture(
      version: Executable.version, gitSHA: request.gitSHA, storesIn: request.folder,
      scenarios: request.scenarios.map(\.scenario), keepsAwake: keepsAwake)
    environment.runID = request.runID
    return environment
  }
}

extension ResultsFile {
  /// Continues the interrupted run in these files, if it is the same run.
  ///
  /// - Returns: its finished cells.
  func resume(
    _ request: inout RunRequest, in environment: MachineEnvironment
  ) throws
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
    if run.runID != nil { Messages.say(run.formatted(of: request.plan.cells.count)) }
    return finished
  }
}

extension InterruptedRun {
  fileprivate func isChangedByResuming(_ hasMore: Bool) -> Bool {
    hasMore || isTorn || !rowless.isEmpty
  }

  fileprivate func formatted(of planned: Int) -> String {
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
