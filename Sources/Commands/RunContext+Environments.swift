import Harness
import Judging

extension RunContext {
  init(_ environments: [MachineEnvironment]) {
    self.init()
    let all = environments.flatMap { [$0] + ($0.otherMachines ?? []) }
    let readings = all.map(\.reading)
    isDebugBuild = readings.contains { $0.build.map { $0 != "release" } ?? false }
    // The load that a run goes by, so that a report doubts what the run did.
    let busiest = readings.max { $0.loadOfCore < $1.loadOfCore }
    load = busiest?.disturbingLoad
    cores = busiest?.cores
    steal = readings.compactMap(\.steal).max().map { $0 / 100 }
    for environment in all { defaults.merge(environment.defaults) { first, _ in first } }
  }
}

extension MachineReading {
  fileprivate var loadOfCore: Double { (disturbingLoad ?? 0) / Double(max(1, cores ?? 1)) }
}
