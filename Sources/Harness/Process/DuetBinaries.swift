import Foundation
package import Judging
import SQLiteStore
import Support
package import Workload

package struct DuetBinaries: Sendable {
  package let baseline: DuetBinary
  package let candidate: DuetBinary
  /// With the digests that both programs compute.
  package let scenarios: [RunScenario]
  /// For each scenario, why topologies cannot do its work, by name. Either program may refuse one.
  package var refusals: [[String: String]] = []

  package subscript(side: Side) -> DuetBinary { side == .baseline ? baseline : candidate }

  package var all: [DuetBinary] { [baseline, candidate] }

  /// Asks each program about each scenario, by `cell --check`. Returns nil after an interrupt.
  ///
  /// - Throws: `DuetMismatch`, or the error of starting a process.
  package static func ask(
    baseline: String, candidate: String, about scenarios: [Scenario], seed: UInt64,
    timeLimit: Duration, interrupts: Interrupts
  ) async throws -> DuetBinaries? {
    var found: [DuetBinary] = []
    var runs: [RunScenario] = []
    var refusals: [[String: String]] = []
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
      let digest = try digest(of: scenario.name, found)
      runs.append(RunScenario(scenario: scenario, digest: digest))
      refusals.append(
        found.reduce(into: [:]) { $0.merge($1.check.refusals ?? [:]) { first, _ in first } })
    }
    precondition(found.count == Side.allCases.count, "a duet needs a scenario")
    return DuetBinaries(
      baseline: found[0], candidate: found[1], scenarios: runs, refusals: refusals)
  }

  /// - Throws: `DuetMismatch` if a program cannot use the scenario, or the digests differ.
  static func digest(of scenario: String, _ binaries: [DuetBinary]) throws(DuetMismatch) -> String {
    for binary in binaries where binary.check.scenarioDigest == nil {
      throw DuetMismatch(
        "the \(binary.side.rawValue) binary '\(binary.path)' cannot use the scenario"
          + " '\(scenario)': \(binary.check.problem ?? "it does not say why")")
    }
    let digests = binaries.compactMap(\.check.scenarioDigest)
    guard Set(digests).count == 1, let digest = digests.first else {
      let found = zip(binaries, digests).map { "\($0.side.rawValue) \($1.prefix(12))" }
      throw DuetMismatch(
        "the scenario '\(scenario)' has another digest in each binary ("
          + "\(found.joined(separator: ", "))); compare builds between which scenarios and their"
          + " fields did not change")
    }
    return digest
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

  /// `all` names all topologies that both programs have. The result has no repeats.
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

package struct DuetBinary: Sendable, Equatable {
  package let side: Side
  package let path: String
  package let check: CellCheck
}

/// Two programs that cannot be compared. Nothing has been measured.
package struct DuetMismatch: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension DuetBinary {
  private struct Version: Decodable {
    let `protocol`: String
  }

  /// - Throws: `DuetMismatch` if the program did not answer, or speaks another version.
  init(_ side: Side, at path: String, answering outcome: ChildOutcome) throws(DuetMismatch) {
    (self.side, self.path) = (side, path)
    switch outcome {
    case .finished(let output): check = try Self.check(output, of: side, at: path)
    case .crashed(let how): throw Self.silent("it \(how)", side, path)
    case .timedOut: throw Self.silent("it did not answer in time", side, path)
    case .interrupted: throw Self.silent("it was interrupted", side, path)
    }
  }

  /// Decodes the version first, since only an answer of this build's version can be decoded.
  private static func check(
    _ output: Data, of side: Side, at path: String
  ) throws(DuetMismatch) -> CellCheck {
    guard let version = try? JSONDecoder().decode(Version.self, from: output) else {
      throw silent("its answer is not the JSON of a cell's check", side, path)
    }
    guard version.protocol == CellSpecification.protocolVersion else {
      throw DuetMismatch(
        "the \(side.rawValue) binary '\(path)' speaks '\(version.protocol)', this topobench"
          + " '\(CellSpecification.protocolVersion)'; build both binaries and this command from"
          + " commits of one protocol")
    }
    do {
      return try JSONDecoder().decode(CellCheck.self, from: output)
    } catch {
      throw silent("its answer lacks something: \(error)".oneLine, side, path)
    }
  }

  private static func silent(_ why: String, _ side: Side, _ path: String) -> DuetMismatch {
    DuetMismatch(
      "the \(side.rawValue) binary '\(path)' does not answer `cell --check`: \(why). Name a"
        + " topobench, or an executable that calls Topobench.main, that speaks"
        + " '\(CellSpecification.protocolVersion)'")
  }
}
