import Foundation

extension MachineEnvironment {
  /// Nil if no readable environment file lies beside the report.
  package init?(besides report: String) {
    guard report != "-",
      let data = try? Data(contentsOf: ResultsFile.environment(of: URL(fileURLWithPath: report))),
      let found = try? JSONDecoder().decode(MachineEnvironment.self, from: data)
    else { return nil }
    self = found
  }

  /// Includes the readings of other shards.
  package static func readings(besides reports: [String]) -> [MachineReading] {
    reports.compactMap(MachineEnvironment.init).flatMap(\.all).map(\.machine)
  }

  /// This environment, and those of other shards.
  package var all: [MachineEnvironment] { [self] + (run.otherMachines ?? []) }

  func resumed(in now: MachineEnvironment) -> MachineEnvironment {
    var result = self
    result.run.planned = now.run.planned
    result.run.resumptions = (run.resumptions ?? []) + [Resumption(in: now)]
    return result
  }
}
