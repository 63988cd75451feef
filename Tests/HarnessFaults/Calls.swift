import ArgumentParser
import Foundation
import Queues
import SoakSupport
import Support

struct Calls: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fails drawn system calls of runners and cells, with strace.",
    discussion: "Each seed draws one call that fails. Does nothing where tracing is not possible.")

  @Option(help: "How many seeds.") var trials = 300
  @Option(help: "One failing call, such as runner/openat/17/EIO.") var fault: String?
  @OptionGroup var soak: SoakOptions

  func run() throws {
    let base = try TrialFolder()
    if let problem = try Strace.problem(in: TrialPlace(in: base, named: "trace")) {
      return print("failing system calls: skipped, because \(problem)")
    }
    let sound = try SoundRun(of: "main-only", in: base)
    if let fault { return try perform(fault, base, sound) }
    var counts: CallCounts = [:]
    for target in CallFault.Target.allCases {
      counts[target] = try CallTrial.counts(of: target, in: base, sound)
    }
    try perform(counts, base, sound)
  }

  private func perform(_ text: String, _ base: TrialFolder, _ sound: SoundRun) throws {
    guard let fault = CallFault(text) else {
      throw ValidationError("--fault: must look like runner/openat/17/EIO, not \(text)")
    }
    let trial = try outcome(of: fault, base, sound)
    print("\(fault): \(trial.end)\n\(Self.told(trial.failedCalls))\(trial.said)")
    if !trial.problems.isEmpty { throw ExitCode(1) }
  }

  private func perform(_ counts: CallCounts, _ base: TrialFolder, _ sound: SoundRun) throws {
    let course = Lock(soak.begin("failing system calls", count: trials))
    let tally = Lock<[String: Int]>([:])
    try EachCore.perform {
      while let seed = course.withLock({ $0.next() }) {
        var random = SplitMix64(seed: seed)
        let fault = CallFault(counts, using: &random)
        let trial = try outcome(of: fault, base, sound)
        let (end, failures) = (trial.end, trial.problems.isEmpty ? 0 : 1)
        tally.withLock { $0["\(fault.target): \(end)", default: 0] += 1 }
        course.withLock { $0.add(tries: trial.failedCalls.isEmpty ? 0 : 1, failures: failures) }
      }
    }
    let counts = tally.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0): \($1)\n" }
    let ended = course.withLock { $0 }
    print(counts.joined() + "\(ended.seeds) failing system calls; \(ended.failures) with problems")
    try soak.end(ended)
  }

  private func outcome(
    of fault: CallFault, _ base: TrialFolder, _ sound: SoundRun
  ) throws -> CallTrial {
    var trial = try CallTrial(in: base, sound: sound)
    try trial.perform(fault)
    if !trial.problems.isEmpty {
      print("\(fault) (\(trial.end)):\n  \(trial.problems.joined(separator: "\n  "))")
      print("\(Self.told(trial.failedCalls))  it said: \(trial.said)")
      // The pool gives a piece of work to any of its threads, and strace counts those apart.
      print("  To repeat, until it prints the same calls:")
      print("  scripts/soak --harness calls --fault \(fault)")
      fflush(nil)
    }
    return trial
  }

  private static func told(_ failedCalls: [String]) -> String {
    failedCalls.map { "  failed: \($0)\n" }.joined()
  }
}
