import Foundation
package import Judging

extension MachineEnvironment {
  /// Nil if no readable environment file lies beside the report.
  package init?(besides report: String) {
    guard report != "-",
      let data = try? Data(contentsOf: ResultsFile.environment(of: URL(fileURLWithPath: report))),
      let found = try? JSONDecoder().decode(MachineEnvironment.self, from: data)
    else { return nil }
    self = found
  }

  /// With those of other shards.
  package static func readings(besides reports: [String]) -> [MachineReading] {
    reports.compactMap(MachineEnvironment.init).flatMap { environment in
      [environment.reading] + (environment.otherMachines ?? []).map(\.reading)
    }
  }
}
