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
    abstract: "Check this machine, and measure how small a regression it can find.",
    usage: "topobench doctor <options>",
    discussion: """
      Checks this build and this machine, and shows each diagnosis with its remedy. Then measures \
      for about a minute the noise between equal cells of 5000-cities, and estimates the smallest \
      regression that a duet finds despite it.

      --self-check runs blocks of known length on the main queue and compares them with the recorded \
      times. Exit status 1 if a time is wrong.

      Run the doctor with and without --keep-awake, and measure in the way that has less noise.

      Examples:
        topobench doctor
        topobench doctor --keep-awake
      """)

  @Flag(help: "Compare the main queue's clocks with blocks of known length.")
  var selfCheck = false
  @Flag(help: "Do not measure noise.") var noNoise = false
  @Option(help: .init("Time to measure noise, in seconds.", valueName: "s"))
  var seconds: Double = 60
  @Option(
    help: .init(
      "Topology to measure noise with. Repeatable. Default: those of the founding question.",
      valueName: "name"), completion: .topologies)
  var topology: [String] = []
  @Option(
    help: .init("Set a field of 5000-cities. Repeatable.", valueName: "key=value"),
    completion: .fields)
  var set: [String] = []
  @OptionGroup var storage: DiskOption
  @OptionGroup var awake: AwakeOptions
  @Option(help: "Format of the answer.")
  var format: DoctorAnswer.Format = .table
  @Flag(help: "Show no progress.") var noProgress = false

  func run() async throws {
    try awake.checkMachine()
    if selfCheck {
      guard format == .table else {
        throw UsageError("--format: --self-check answers in text only; leave one of them out")
      }
      return try await runSelfCheck()
    }
    guard CellSpecification.isTimeLimit(seconds) else {
      throw UsageError("--seconds: \(seconds) is not a number above 0, up to 86400")
    }
    let interrupts = Interrupts()
    interrupts.listen()
    let folder = try storage.makeFolder()
    defer { RunFolder.remove(folder) }
    // Reads the machine first, because measuring noise is a load itself.
    let machine = MachineProbe.reading(
      version: Executable.version, gitSHA: Executable.revision, storesIn: folder,
      keepsAwake: awake.keepAwake)
    let pairs =
      noNoise ? nil : try await awake.whileAwake { try await measureNoise(in: folder, interrupts) }
    try answer(machine, pairs)
    let cells = pairs?.pairs.flatMap { [$0.baseline, $0.candidate] } ?? []
    throw ExitCode(.of(cells, isInterrupted: interrupts.isInterrupted))
  }

  private func runSelfCheck() async throws {
    let report = try await awake.whileAwake { try await SelfCheck.measure() }
    try StandardOutput().write(report.text)
    if !report.isRight { throw ExitCode(.failed) }
  }

  private func answer(_ machine: MachineReading, _ measured: MeasuredNoise?) throws {
    let noise = measured.flatMap {
      MachineNoise($0.pairs, scenario: Self.scenario, seconds: $0.seconds)
    }
    let bad = measured?.pairs.flatMap { [$0.baseline, $0.candidate] }.count { $0.status != .ok }
    let report = DoctorReport(
      machine.checks, of: machine.described, keepsAwake: machine.keepsAwake ?? false,
      noise: noise, outlook: noise.map { DuetOutlook($0) }, noiseSeconds: measured?.seconds,
      badCells: bad ?? 0)
    try StandardOutput().write(DoctorAnswer.render(report, as: format, style: .standardOutput))
  }

  private static let scenario = "5000-cities"

  /// - Returns: nil after an interrupt before the first cell.
  private func measureNoise(in folder: URL, _ interrupts: Interrupts) async throws -> MeasuredNoise?
  {
    let own = Executable.path
    let scenarios = try ScenarioRequest(names: [Self.scenario], set: set).load().map(\.scenario)
    guard scenarios.count == 1 else {
      throw UsageError("--set: the doctor measures one setting; give each field one value")
    }
    let binaries = try await DuetBinaries.ask(
      baseline: own, candidate: own, about: scenarios,
      seed: 1, timeLimit: .seconds(60), interrupts: interrupts)
    guard let binaries else { return nil }
    let variants = try binaries.resolve(topology.isEmpty ? Topologies.founding : topology).map {
      Variant(scenario: 0, topology: $0.name, store: $0.store.flatMap(StoreMode.init) ?? .pool)
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
}

private struct MeasuredNoise {
  let pairs: [DuetPair]
  let seconds: Double
}
