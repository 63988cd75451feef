import ArgumentParser
import Foundation
import Queues
import SoakSupport
import Support

struct Calls: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fails drawn system calls of runners and cells.",
    discussion: "Each seed draws one call that fails. Does nothing where tracing is not possible.")

  @Option(help: "How many seeds.") var trials = 300
  @Option(help: "One failing call, such as run:0:fsync:a.csv:1:EIO.") var fault: String?
  @Flag(help: "Print what each seed did.") var echo = false
  @OptionGroup var soak: SoakOptions

  func run() throws {
    let base = try TrialFolder()
    if let problem = try TracedCommand.problem(in: base) {
      return print("failing system calls: skipped, because \(problem)")
    }
    let sound = try SoundRun(of: "main-only", in: base)
    if let fault { return try perform(fault, base, sound) }
    var counts: [CallFault.Target: CallCounts] = [:]
    for target in CallFault.Target.allCases {
      counts[target] = try CallTrial.counts(of: target, in: base, sound)
    }
    try perform(counts, base, sound)
  }

  private func perform(_ text: String, _ base: TrialFolder, _ sound: SoundRun) throws {
    guard let fault = CallFault(text) else {
      throw ValidationError("--fault: must look like run:0:fsync:a.csv:1:EIO, not \(text)")
    }
    let trial = try outcome(of: fault, base, sound)
    print("\(fault): \(trial.told)\n\(trial.failedCall)\(trial.said)")
    if !trial.problems.isEmpty { throw ExitCode(1) }
  }

  private func perform(
    _ counts: [CallFault.Target: CallCounts], _ base: TrialFolder, _ sound: SoundRun
  ) throws {
    let course = Lock(soak.begin("failing system calls", count: trials))
    let tally = Lock<[String: Int]>([:])
    try EachCore.perform {
      while let seed = course.withLock({ $0.next() }) {
        var random = SplitMix64(seed: seed)
        guard let fault = CallFault(counts, using: &random) else {
          throw Unsound("a cell makes no call")
        }
        let trial = try outcome(of: fault, base, sound)
        if echo { print("seed \(seed): \(fault): \(trial.told)") }
        let failures = trial.problems.isEmpty ? 0 : 1
        tally.withLock { $0["\(fault.target): \(trial.told)", default: 0] += 1 }
        course.withLock { $0.add(tries: trial.hasFailed ? 1 : 0, failures: failures) }
      }
    }
    let lines = tally.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0): \($1)\n" }
    let ended = course.withLock { $0 }
    print(lines.joined() + "\(ended.seeds) failing system calls; \(ended.failures) with problems")
    try soak.end(ended)
  }

  private func outcome(
    of fault: CallFault, _ base: TrialFolder, _ sound: SoundRun
  ) throws -> CallTrial {
    var trial = try CallTrial(in: base, sound: sound)
    try trial.perform(fault)
    if !trial.problems.isEmpty {
      print("\(fault) (\(trial.told)):\n  \(trial.problems.joined(separator: "\n  "))")
      print("  failed: \(trial.failedCall)  it said: \(trial.said)")
      print("  To repeat: scripts/soak --harness calls --fault '\(fault)'")
      fflush(nil)
    }
    return trial
  }
}
