import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Queues
import Reports
import SQLiteStore
import Topologies
import Workload

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what would make results here doubtful, and what can be seen here.",
    usage: "topobench doctor <options>",
    discussion: """
      Looks at this build and this machine, each doubt with its remedy, and then measures for about a \
      minute how far two cells of 5000-cities differ that should not: the noise, and the smallest \
      regression that a duet finds in spite of it.

      --ruler puts blocks of known length on the main queue and compares what the instruments say of \
      them with what they were. Exit status 1 if a figure is off.

      With --keep-awake, what is found and promised is that of cells measured so: run the doctor with \
      and without it, and measure in the way that has less noise.
      """)

  @Flag(help: "Hold the main queue's instruments against blocks of known length.")
  var ruler = false
  @Flag(help: "Leave out the minute in which noise is measured.") var noNoise = false
  @Option(help: ArgumentHelp("How long noise is measured.", valueName: "s"))
  var seconds: Double = 60
  @Option(
    help: ArgumentHelp(
      "A topology to measure noise with. Repeatable. Default: those of the founding question.",
      valueName: "name"))
  var topology: [String] = []
  @Option(
    help: ArgumentHelp(
      "A value in the place of a field of 5000-cities. Repeatable.", valueName: "key=value"))
  var set: [String] = []
  @Option(
    help: ArgumentHelp(
      "The folder on the disk to look at; it must exist. Default: the system's for temporary files.",
      valueName: "dir"))
  var disk: String?
  @OptionGroup var awake: AwakeOptions
  @Option(help: "How the findings are written.")
  var format: DoctorAnswer.Format = .table
  @Flag(help: "Draw no progress.") var noProgress = false

  func run() async throws {
    try awake.requireSense()
    if ruler { return try await holdRuler() }
    guard seconds > 0, seconds <= CellOptions.longestTimeout else {
      throw UsageError("--seconds: \(seconds) is not a number above 0, up to a day (86400)")
    }
    let interrupts = Interrupts()
    interrupts.listen()
    let folder = try FileOptions.makeFolder(on: disk)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Before anything else runs: a doctor that works is a load.
    let machine = MachineProbe.reading(storesIn: folder, keepsAwake: awake.keepAwake)
    let pairs =
      noNoise ? nil : try await awake.whileAwake { try await measureNoise(in: folder, interrupts) }
    answer(machine, pairs)
    try? FileManager.default.removeItem(at: folder)
    let cells = pairs?.pairs.flatMap { [$0.baseline, $0.candidate] } ?? []
    throw ExitCode(ExitStatus.of(cells, isInterrupted: interrupts.isInterrupted).rawValue)
  }

  private func holdRuler() async throws {
    let report = try await awake.whileAwake { try await SelfCheck.measure() }
    print(report.text, terminator: "")
    if !report.isRight { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func answer(_ machine: MachineReading, _ measured: MeasuredNoise?) {
    let noise = measured.flatMap {
      MachineNoise($0.pairs, scenario: Self.scenario, seconds: $0.seconds)
    }
    let bad = measured?.pairs.flatMap { [$0.baseline, $0.candidate] }.count { $0.status != .ok }
    let report = DoctorReport(
      machine, noise: noise, outlook: noise.map { DuetOutlook($0) }, badCells: bad ?? 0)
    print(DoctorAnswer.render(report, as: format, style: .standardOutput), terminator: "")
  }
}

// MARK: - Noise

/// Pairs of this program against itself.
private struct MeasuredNoise {
  let pairs: [DuetPair]
  let seconds: Double
}

extension DoctorCommand {
  private static let scenario = "5000-cities"

  /// Nil after an interrupt that came before the first cell.
  private func measureNoise(in folder: URL, _ interrupts: Interrupts) async throws -> MeasuredNoise?
  {
    let own = Executable.path
    let binaries = try await DuetBinaries.ask(
      baseline: own, candidate: own,
      about: NoiseOptions(set: set).resolvedScenarios().map(\.scenario),
      seed: 1, timeLimit: .seconds(60), interrupts: interrupts)
    guard let binaries else { return nil }
    let variants = try binaries.resolve(topology.isEmpty ? Topologies.founding : topology).map {
      Variant(scenario: 0, topology: $0.name, store: .pool)
    }
    let request = PairRequest(
      binaries: binaries, variants: variants, seed: 1, folder: folder, timeLimit: .seconds(60))
    if format == .table { Messages.say("Measuring noise for \(seconds.formatted()) s …") }
    let clock = SystemClock()
    let start = clock.now()
    func elapsed() -> Double { (clock.now() - start).milliseconds / 1000 }
    let time = seconds
    var course = NoiseCourse(targets: variants.count) { elapsed() < time }
    try await ProgressDisplay.show(if: !noProgress, length: .seconds(time)) {
      try await PairRunner(request, interrupts: interrupts, observer: $0)
        .run(&course, keep: { _ in })
    }
    return MeasuredNoise(pairs: course.pairs, seconds: elapsed())
  }

  /// What noise is measured with.
  private struct NoiseOptions: ScenarioOptions {
    let scenario = [DoctorCommand.scenario]
    let set: [String]
    let seed: UInt64 = 1
    let scenariosFolder: String? = nil
  }
}
