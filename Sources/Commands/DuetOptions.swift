import Support
import ArgumentParser
import Foundation
import Harness
import Measurement
import SQLiteStore
import Topologies
import Workload

/// The binaries, scenarios and metrics of a duet, and its number of pairs.
struct DuetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Build to compare with: topobench or your own executable.", valueName: "file"))
  var baselineBinary: String
  @Option(help: ArgumentHelp("Build to judge.", valueName: "file"))
  var candidateBinary: String
  @OptionGroup var targets: TargetOptions
  @Option(
    help: ArgumentHelp(
      "Metric to judge in addition to main_blocked_ms and the exact counts. Repeatable.",
      valueName: "name"))
  var metric: [String] = []
  @Option(
    help: ArgumentHelp(
      "Exact count that depends on scheduling here; it is judged by statistics. Repeatable.",
      valueName: "name"))
  var inexact: [String] = []
  @Option(
    help: ArgumentHelp(
      "Most pairs per topology before a flagged regression is confirmed.", valueName: "n"))
  var mostPairs = 80

  func validate() throws {
    try Self.requireProgram(baselineBinary, flag: "--baseline-binary")
    try Self.requireProgram(candidateBinary, flag: "--candidate-binary")
    guard (1...10_000).contains(mostPairs) else {
      throw UsageError("--most-pairs: \(mostPairs) is not a whole number from 1 to 10000")
    }
    for name in metric { try Self.requireJudgeable(name) }
    for name in inexact where !Metrics.exactCounts.map(\.name).contains(name) {
      throw UsageError(
        "--inexact: '\(name)' is not an exact count. Known: "
          + Metrics.exactCounts.map(\.name).joined(separator: ", "))
    }
  }
}

extension DuetOptions {
  private static func requireProgram(_ path: String, flag: String) throws {
    let isFolder = FileSystem.isFolder(URL(fileURLWithPath: path))
    guard !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
      throw UsageError(
        "\(flag): '\(path)' is not an executable; name a build's binary, such as"
          + " .build/release/topobench")
    }
  }

  private static func requireJudgeable(_ name: String) throws {
    let judgeable = Metrics.all.filter { $0.better != .neither }.map(\.name)
    guard !judgeable.contains(name) else { return }
    let hint = NearestName.hint(for: name, in: judgeable)
    let problem =
      Metrics.named(name) == nil ? "unknown metric" : "neither higher nor lower is better in"
    throw UsageError(
      "--metric: \(problem) '\(name)'.\(hint) `topobench list metrics` shows all")
  }

  /// Every named topology, in every scenario and store mode.
  ///
  /// - Throws: `UsageError` if neither build has a topology, `DuetMismatch` if only one has it.
  func variants(_ binaries: DuetBinaries) throws -> [Variant] {
    let topologies = try binaries.resolve(
      targets.topology.isEmpty ? Topologies.founding : targets.topology)
    return binaries.scenarios.indices.flatMap { scenario in
      topologies.flatMap { topology in
        modes(of: topology).map {
          Variant(scenario: scenario, topology: topology.name, store: $0)
        }
      }
    }
  }

  /// A topology with a fixed store mode runs only in that mode.
  private func modes(of topology: CellCheck.Topology) -> [StoreMode] {
    topology.store.flatMap(StoreMode.init).map { [$0] } ?? targets.store.modes
  }
}
