import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import SQLiteStore
import Topologies
import Workload

struct MeasuredPairs: ParsableArguments {
  @Option(help: "The topobench that runs the cells.") var binary: String
  @Option(help: "The scenario's file.") var scenario: String
  @Option(help: "A topology. Repeatable. Default: the default topologies.")
  var topology: [String] = []
  @Option(help: ArgumentHelp("Overrides a field of the scenario.", valueName: "key=value"))
  var set: [String] = []
}

extension MeasuredPairs {
  /// Measures pairs of each topology in time order.
  ///
  /// - Parameter slowdown: the candidates' `TOPOBENCH_SLOWDOWN`; nil if both sides are the same.
  /// - Throws: `ExitCode(130)` after an interrupt.
  func measure(
    _ pairs: Int, seed: UInt64, slowdown: String?, interrupts: Interrupts
  ) async throws -> [CellResult] {
    let folder = try RunFolder.make(in: FileManager.default.temporaryDirectory)
    defer { RunFolder.remove(folder) }
    let programs = try Programs(binary, slowdown: slowdown, in: folder)
    let request = try await request(programs, folder, seed: seed, interrupts)
    var rows: [CellResult] = []
    var course = PoolCourse(pairs: request.variants.map { _ in pairs })
    try await PairRunner(request, interrupts: interrupts).run(
      &course, keep: { rows.append($0.result) })
    if interrupts.isInterrupted { throw ExitCode(130) }
    return rows
  }

  private func request(
    _ programs: Programs, _ folder: URL, seed: UInt64, _ interrupts: Interrupts
  ) async throws -> PairRequest {
    let scenarios = try Scenario.load(file: scenario, set: set)
    let binaries = try await DuetBinaries.ask(
      baseline: programs.baseline, candidate: programs.candidate, about: scenarios, seed: 1,
      timeLimit: .seconds(60), interrupts: interrupts)
    guard let binaries else { throw ExitCode(130) }
    let topologies = try binaries.resolve(topology.isEmpty ? Topologies.founding : topology)
    let variants = binaries.scenarios.indices.flatMap { scenario in
      topologies.map {
        Variant(
          scenario: scenario, topology: $0.name, store: $0.store.flatMap(StoreMode.init) ?? .pool)
      }
    }
    return PairRequest(
      binaries: binaries, variants: variants, seed: 1, orderSeed: seed, folder: folder,
      timeLimit: .seconds(60))
  }
}

/// One program twice, or two scripts of equal length that run it, one of them with a slowdown.
private struct Programs {
  let baseline: String
  let candidate: String

  init(_ binary: String, slowdown: String?, in folder: URL) throws {
    let path = URL(fileURLWithPath: binary).path
    guard let slowdown else {
      (baseline, candidate) = (path, path)
      return
    }
    let digits = String(repeating: "0", count: slowdown.filter(\.isNumber).count)
    let nothing = slowdown.prefix { !$0.isNumber } + digits
    baseline = try Self.script("base", running: path, with: String(nothing), in: folder)
    candidate = try Self.script("slow", running: path, with: slowdown, in: folder)
  }

  private static func script(
    _ name: String, running path: String, with slowdown: String, in folder: URL
  ) throws -> String {
    let file = folder.appendingPathComponent(name)
    let quoted = path.replacingOccurrences(of: "'", with: "'\\''")
    let text = "#!/bin/sh\nTOPOBENCH_SLOWDOWN='\(slowdown)' exec '\(quoted)' \"$@\"\n"
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    return file.path
  }
}

/// A fixed number of pairs of each target.
private struct PoolCourse: PairCourse {
  let pairs: [Int]
  var isAsked = false

  mutating func next() -> (phase: DuetPhase, pairs: [Int])? {
    guard !isAsked else { return nil }
    isAsked = true
    return (.first, pairs)
  }

  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {}
}
