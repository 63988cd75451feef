import SQLiteStore
import Support
import Foundation
package import Judging
import Measurement
import SQLiteStore
package import Workload

package struct DuetBinaries: Sendable {
  package let baseline: DuetBinary
  package let candidate: DuetBinary
  /// With the digests that both programs compute.
  package let scenarios: [RunScenario]

  package subscript(side: Side) -> DuetBinary { side == .baseline ? baseline : candidate }

  package var all: [DuetBinary] { [baseline, candidate] }

  /// Checks each program once for each scenario. Returns nil after an interrupt.
  ///
  /// - Throws: `DuetMismatch`, or the error of starting a process.
  package static func ask(
    baseline: String, candidate: String, about scenarios: [Scenario], seed: UInt64,
    timeLimit: Duration, interrupts: Interrupts
  ) async throws -> DuetBinaries? {
    var found: [DuetBinary] = []
    var runs: [RunScenario] = []
    for scenario in scenarios {
      found = []
      for (side, path) in [(Side.baseline, baseline), (.candidate, candidate)] {
        let child = ChildProcess(
          executable: path, arguments: ["cell", "--check"], timeLimit: timeLimit,
          interrupts: interrupts)
        let question = try JSONEncoder().encode(question(scenario, seed: seed))
        let outcome = try await child.run(input: question)
        guard !interrupts.isInterrupted else { return nil }
        found.append(try DuetBinary(side, at: path, answering: outcome))
      }
      let digest = try DuetAgreement.digest(of: scenario.name, found)
      runs.append(RunScenario(scenario: scenario, digest: digest))
    }
    precondition(found.count == Side.allCases.count, "a duet needs a scenario")
    return DuetBinaries(baseline: found[0], candidate: found[1], scenarios: runs)
  }

  private static func question(_ scenario: Scenario, seed: UInt64) -> CellSpecification {
    CellSpecification(
      runID: "", scenarioFile: scenario.file, overrides: scenario.overrides,
      parameters: scenario.parametersJSON, scenario: scenario.name, scenarioDigest: "",
      topology: "", store: StoreMode.pool.rawValue, trial: 1, order: 1, seed: seed, folder: "")
  }

  /// In the baseline's order.
  package var topologies: [CellCheck.Topology] {
    baseline.check.topologies.filter { candidate.check.topologies.contains($0) }
  }

  package var diagnoses: [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    for binary in all where binary.check.build != "release" {
      diagnoses.append(
        Diagnosis(
          "the \(binary.side.rawValue) binary is a \(binary.check.build) build",
          remedy: "build both with `swift build -c release`"))
    }
    let lengths = all.map(\.path.utf8.count)
    if lengths[0] != lengths[1] {
      diagnoses.append(
        Diagnosis(
          "the binaries' paths differ in length, which moves what each process has on its stack",
          evidence: "\(lengths[0]) and \(lengths[1]) bytes",
          remedy: "copy them to paths of equal length"))
    }
    return diagnoses
  }

  /// Whether the programs are equal byte for byte. Any difference is noise then.
  package var areIdentical: Bool {
    FileManager.default.contentsEqual(atPath: baseline.path, andPath: candidate.path)
  }

  /// `all` names all topologies that both programs have. Each occurs once.
  ///
  /// - Throws: `UsageError` if neither program has a topology, `DuetMismatch` if one lacks it.
  package func resolve(_ names: [String]) throws -> [CellCheck.Topology] {
    let named = try names.unique.filter { $0 != "all" }.map { name in
      if let found = topologies.first(where: { $0.name == name }) { return found }
      throw missing(name)
    }
    return names.contains("all") ? topologies : named
  }

  private func missing(_ name: String) -> any Error {
    let having = all.filter { $0.check.topologies.contains { $0.name == name } }
    let known = topologies.map(\.name)
    guard let one = having.first else {
      let hint = NearestName.hint(for: name, in: known)
      return UsageError(
        "--topology: unknown topology '\(name)'.\(hint)"
          + " Known to both binaries: \(known.joined(separator: ", ")), all")
    }
    let what =
      having.count == 1 ? "only the \(one.side.rawValue) binary has" : "the binaries differ in"
    return DuetMismatch(
      "\(what) the topology '\(name)'; name one that is the same in both:"
        + " \(known.joined(separator: ", "))")
  }
}
