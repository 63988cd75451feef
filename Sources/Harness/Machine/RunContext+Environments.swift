package import Judging

extension RunContext {
  /// A run and a report of its files have the same context.
  package init(_ environments: [MachineEnvironment]) {
    self.init()
    let all = environments.flatMap(\.all)
    let states = all.flatMap(\.states)
    isDebugBuild = all.contains { ($0.machine.build ?? "release") != "release" }
    let busiest = states.max { $0.loadOfCore < $1.loadOfCore }
    load = busiest?.disturbingLoad
    cores = busiest?.cores
    steal = states.compactMap(\.steal).max().map { $0 / 100 }
    spreadRuns = Set(environments.filter { $0.all.count > 1 }.compactMap(\.run.id))
    for run in all.map(\.run) {
      defaults.merge(run.defaults) { first, _ in first }
      fields.merge(run.fields) { first, _ in first }
      plannedCells.merge(run.planned, uniquingKeysWith: +)
    }
  }
}

extension MachineEnvironment {
  /// The machine before the first cell, and at each resumption.
  fileprivate var states: [MachineReading] {
    [machine]
      + (run.resumptions ?? []).map { resumption in
        var state = resumption.machine
        state.cores = machine.cores
        return state
      }
  }

  /// Records the steal while cells ran, a share of all processors' time, as that of the last start.
  package mutating func note(steal: Double?) {
    let percent = steal.map { $0 * 100 }
    if let last = run.resumptions?.indices.last {
      run.resumptions?[last].machine.steal = percent
    } else {
      machine.steal = percent
    }
  }
}

extension MachineReading {
  fileprivate var loadOfCore: Double { (disturbingLoad ?? 0) / Double(max(1, self.cores ?? 1)) }
}
