import Foundation
package import Judging
import Measurement

extension MachineEnvironment {
  /// The readings in the environment files beside the reports, with those of resumed runs and other
  /// shards. A report without an environment file adds none.
  package static func readings(besides reports: [String]) -> [MachineReading] {
    reports.filter { $0 != "-" }.flatMap { report -> [MachineReading] in
      let file = ResultsFile.environment(of: URL(fileURLWithPath: report))
      guard let data = try? Data(contentsOf: file),
        let environment = try? JSONDecoder().decode(MachineEnvironment.self, from: data)
      else { return [] }
      return [environment.reading] + (environment.otherMachines ?? []).map(\.reading)
    }
  }
}
