import Foundation
package import Judging
import Measurement

extension MachineEnvironment {
  /// What the environment files beside reports tell of the machines, those of resumed runs and of
  /// shards included. A report without such a file tells nothing.
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
