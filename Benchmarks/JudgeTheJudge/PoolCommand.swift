import ArgumentParser
import Foundation
import Harness
import Measurement
import SQLiteStore
import Topologies
import Workload

struct PoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Measure pairs of cells of one program, each in a fresh process, in time order.")

  @Option(help: "The topobench that runs the cells.") var binary: String
  @Option(help: "What is asked: the scenario's file.") var scenario: String
  @Option(help: "A topology. Repeatable. Default: those of the founding question.")
  var topology: [String] = []
  @Option(help: ArgumentHelp("Pairs of each topology.", valueName: "n")) var pairs: Int = 10
  @Option(
    help: ArgumentHelp("What the order is drawn from: another for each file.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(help: ArgumentHelp("A value in the place of a field's.", valueName: "key=value"))
  var set: [String] = []
  @Option(help: ArgumentHelp("The CSV file: whole, or not there.", valueName: "file"))
  var output: String

  func validate() throws {
    guard pairs > 0 else { throw ValidationError("--pairs: \(pairs) is less than 1") }
  }

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("judge-\(UUID().uuidString)", isDirectory: true)
    try FileSystem.makeFolder(at: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let request = try await request(folder, interrupts) else { throw ExitCode(130) }
    var rows: [CellResult] = []
    var course = PoolCourse(pairs: request.variants.map { _ in pairs })
    try await PairRunner(request, interrupts: interrupts).run(
      &course, keep: { rows.append($0.result) })
    guard !interrupts.isInterrupted else { throw ExitCode(130) }
    try Data(CellCSV.text(rows).utf8).write(
      to: URL(fileURLWithPath: output), options: .atomic)
  }

  private func request(_ folder: URL, _ interrupts: Interrupts) async throws -> PairRequest? {
    let path = URL(fileURLWithPath: binary).path
    let scenarios = try Scenario.load(file: scenario, set: set)
    let binaries = try await DuetBinaries.ask(
      baseline: path, candidate: path, about: scenarios, seed: 1, timeLimit: .seconds(60),
      interrupts: interrupts)
    guard let binaries else { return nil }
    let topologies = try binaries.resolve(topology.isEmpty ? Topologies.founding : topology)
    let variants = binaries.scenarios.indices.flatMap { scenario in
      topologies.map { Variant(scenario: scenario, topology: $0.name, store: .pool) }
    }
    return PairRequest(
      binaries: binaries, variants: variants, seed: seed, folder: folder, timeLimit: .seconds(60))
  }
}

/// So many pairs of each, whatever they say.
private struct PoolCourse: PairCourse {
  let pairs: [Int]
  private var isAsked = false

  init(pairs: [Int]) { self.pairs = pairs }

  mutating func next() -> (phase: DuetPhase, pairs: [Int])? {
    guard !isAsked else { return nil }
    isAsked = true
    return (.first, pairs)
  }

  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {}
}
