import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports
import SQLiteStore
import Topologies
import Workload

struct DuetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duet",
    abstract: "Compare two builds, measured in turn, pair by pair.",
    usage: "topobench duet <options>",
    discussion: """
      The strongest comparison. A pair is two new processes, one per build, run one after the other, \
      so that noise of the machine affects both. The spread of the first pairs decides how many pairs \
      there are. The duet is judged at one or two looks. A regression must show again in new pairs.

      Exit status as in `topobench --help`.

      Examples:
        topobench duet --scenario 5000-cities \\
          --baseline-binary old/topobench --candidate-binary new/topobench
      """)

  @OptionGroup(title: "What is compared") var duet: DuetOptions
  @OptionGroup(title: "How it is measured") var awake: AwakeOptions
  @Flag(
    help:
      "Count instructions under valgrind instead of times: a verdict in a minute, on any machine.")
  var count = false
  @OptionGroup(title: "Where it goes") var files: DuetFileOptions

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    if count {
      guard !awake.keepAwake else {
        throw UsageError("--keep-awake: not with --count, which measures no times")
      }
      return try await CountedDuet(options: duet, files: files).run(interrupts)
    }
    try awake.checkMachine()
    let prepared = try await PreparedDuet(
      duet, files, keepsAwake: awake.keepAwake, rule: duet.rule, interrupts: interrupts)
    guard let prepared else { throw ExitCode(.interrupted) }
    defer { prepared.clean() }
    let course = try await awake.whileAwake { try await prepared.measureTimes(interrupts) }
    let report = try prepared.conclude(course)
    try prepared.answer(report, course)
    throw ExitCode(report.status(of: course.cells, isInterrupted: interrupts.isInterrupted))
  }
}

struct DuetFileOptions: ParsableArguments {
  @Option(
    help: .init(
      "CSV file to write; `-` for standard output, with the answer on standard error. Default:"
        + " results/duet-<scenario>-<time>.csv.", valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite existing files.") var force = false
  @Option(
    help: .init(
      "Record the cells of one side for `topobench trace`: baseline or candidate.",
      valueName: "side"))
  var record: Side?
  @OptionGroup var storage: DiskOption
  @Option(help: "Format of the answer.")
  var format: DuetAnswer.Format = .table
  @OptionGroup var limit: TimeLimitOption
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    try RowsOutput.requireRoom(on: output, format: format, isRecorded: record != nil)
  }
}

struct DuetOptions: ParsableArguments {
  @Option(
    help: .init("Build to compare with: topobench or your own executable.", valueName: "file"))
  var baselineBinary: String
  @Option(help: .init("Build to judge.", valueName: "file"))
  var candidateBinary: String
  @OptionGroup var targets: TargetOptions
  @Flag(help: "Use each scenario's small size, for tests.") var smoke = false
  @Option(
    help: .init(
      "Metric to judge in addition to main_blocked_ms and the exact counts. Repeatable.",
      valueName: "name"), completion: .metrics)
  var metric: [String] = []
  @Option(
    help: .init(
      "Exact count that depends on scheduling here; it is judged by statistics. Repeatable.",
      valueName: "name"), completion: .exactCounts)
  var inexact: [String] = []
  @Option(
    help: .init(
      "Most pairs per topology before a flagged regression is confirmed. (default: 80)",
      valueName: "n"))
  var mostPairs: Int?

  func validate() throws {
    try Self.requireProgram(baselineBinary, flag: "--baseline-binary")
    try Self.requireProgram(candidateBinary, flag: "--candidate-binary")
    if let mostPairs, !(1...10_000).contains(mostPairs) {
      throw UsageError("--most-pairs: \(mostPairs) is not a whole number from 1 to 10000")
    }
    _ = try Metrics.named(metric, among: Comparison.allMetrics)
    for name in inexact where !Metrics.exactCounts.map(\.name).contains(name) {
      throw UsageError(
        "--inexact: '\(name)' is not an exact count. Known: "
          + Metrics.exactCounts.map(\.name).joined(separator: ", "))
    }
  }

  private static func requireProgram(_ path: String, flag: String) throws {
    let isFolder = FileSystem.isFolder(URL(fileURLWithPath: path))
    guard !isFolder, FileManager.default.isExecutableFile(atPath: path) else {
      throw UsageError(
        "\(flag): '\(path)' is not an executable; name a build's binary, such as"
          + " .build/release/topobench")
    }
  }

  /// - Throws: `UsageError` if neither build has a topology, `DuetMismatch` if only one has it.
  func variants(_ binaries: DuetBinaries) throws -> [Variant] {
    let topologies = try binaries.resolve(
      targets.topology.isEmpty ? Topologies.founding : targets.topology)
    var leftOut = LeftOut()
    defer { leftOut.say() }
    let variants = try binaries.scenarios.indices.flatMap { scenario in
      try topologies.flatMap { topology in
        let reason = binaries.refusals[scenario][topology.name]
        let name = binaries.scenarios[scenario].scenario.name
        if try targets.leavesOut(topology.name, of: name, reason, told: &leftOut) {
          return [Variant]()
        }
        return (topology.store.flatMap(StoreMode.init).map { [$0] } ?? targets.store.modes).map {
          Variant(scenario: scenario, topology: topology.name, store: $0)
        }
      }
    }
    guard !variants.isEmpty else {
      throw UsageError("--topology: none can do the work; `topobench list topologies` says why")
    }
    return variants
  }
}
