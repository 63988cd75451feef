import Support
import ArgumentParser
import Foundation
import Harness
import Measurement
import SQLiteStore
import Topologies
import Workload

/// The options that say what a duet measures, and how far it goes.
struct DuetOptions: ParsableArguments, ScenarioOptions {
  @Option(
    help: ArgumentHelp("The build to compare with: a topobench, or your own.", valueName: "file"))
  var baselineBinary: String
  @Option(help: ArgumentHelp("The build that is judged.", valueName: "file"))
  var candidateBinary: String
  @Option(
    help: ArgumentHelp("What is asked: a scenario's name or file. Repeatable.", valueName: "name"))
  var scenario: [String] = []
  @Option(
    help: ArgumentHelp(
      "A topology, or `all` that both builds have. Repeatable. Default: those of the founding"
        + " question.", valueName: "name"))
  var topology: [String] = []
  @Option(help: "How the coordinator locks: pool, serial or both.")
  var store: StoreChoice = .pool
  @Option(
    help: ArgumentHelp(
      "A value in the place of a scenario's field; a list of values sweeps it. Repeatable.",
      valueName: "key=value"))
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "A metric to judge beside main_blocked_ms and the exact counts. Repeatable.",
      valueName: "name"))
  var metric: [String] = []
  @Option(
    help: ArgumentHelp(
      "An exact count that depends on scheduling in what is measured, so that it is judged by"
        + " statistics. Repeatable.", valueName: "name"))
  var inexact: [String] = []
  @Option(help: ArgumentHelp("What order and stream of changes are drawn from.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "The most pairs of a topology before what is flagged is confirmed.", valueName: "n"))
  var mostPairs = 80
  @Option(help: ArgumentHelp("A folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?
}

extension DuetOptions {
  /// Finds the mistakes that need no process to be seen.
  func requireSense() throws {
    try Self.requireProgram(baselineBinary, flag: "--baseline-binary")
    try Self.requireProgram(candidateBinary, flag: "--candidate-binary")
    guard (1...10_000).contains(mostPairs) else {
      throw UsageError("--most-pairs: \(mostPairs) is not a whole number from 1 to 10000")
    }
    for name in metric { try Self.requireJudgeable(name) }
    for name in inexact where !Metrics.exactCounts.map(\.name).contains(name) {
      throw UsageError(
        "--inexact: '\(name)' is no exact count. Known: "
          + Metrics.exactCounts.map(\.name).joined(separator: ", "))
    }
  }

  private static func requireProgram(_ path: String, flag: String) throws {
    let isFolder = FileSystem.isFolder(URL(fileURLWithPath: path))
    guard !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
      throw UsageError(
        "\(flag): '\(path)' is no program that can be run; name the binary of a build, such as"
          + " .build/release/topobench")
    }
  }

  private static func requireJudgeable(_ name: String) throws {
    let judgeable = Metrics.all.filter { $0.better != .neither }.map(\.name)
    guard !judgeable.contains(name) else { return }
    let hint = NearestName.hint(for: name, in: judgeable)
    let why = Metrics.named(name) == nil ? "there is no metric" : "nothing is better or worse in"
    throw UsageError(
      "--metric: \(why) '\(name)'.\(hint)"
        + " `topobench list metrics` shows what there is")
  }

  /// What is measured: every topology that was asked for, in every scenario and store mode.
  ///
  /// - Throws: `UsageError` where neither build has a topology, `DuetMismatch` where one lacks it.
  func variants(_ binaries: DuetBinaries) throws -> [Variant] {
    let topologies = try binaries.resolve(topology.isEmpty ? Topologies.founding : topology)
    return binaries.scenarios.indices.flatMap { scenario in
      topologies.flatMap { topology in
        modes(of: topology).map {
          Variant(scenario: scenario, topology: topology.name, store: $0)
        }
      }
    }
  }

  /// A topology of a fixed store mode runs in that alone.
  private func modes(of topology: CellCheck.Topology) -> [StoreMode] {
    topology.store.flatMap(StoreMode.init).map { [$0] } ?? store.modes
  }
}
