import ArgumentParser
import Dispatch
import Foundation
import Queues
import SoakSupport

struct Kills: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ends runs, duets and collections before drawn calls, and resumes them.",
    discussion: """
      Each seed draws one command, and one to four ends of it. Does nothing where tracing is not \
      possible.
      """)

  @Option(help: "How many seeds.") var trials = 1000
  @Option(help: "Instead: as many seeds as it takes to end a command so often before its own end.")
  var ends: Int?
  @Flag(help: "Print what each seed did.") var echo = false
  @OptionGroup var soak: SoakOptions

  func validate() throws {
    guard ends ?? 1 > 0 else { throw ValidationError("--ends: must be more than 0") }
    guard ends == nil || soak.seconds == nil else {
      throw ValidationError("--ends: leave --seconds")
    }
  }

  func run() throws {
    let base = try TrialFolder()
    if let problem = try TracedCommand.problem(in: base) {
      return print("killed runs: skipped, because \(problem)")
    }
    let sounds = try Tested.topologies.map { try SoundRun(of: $0, in: base) }
    let tally = Lock(
      KillTally(course: soak.begin("killed runs", count: trials, tries: ends)))
    try EachCore.perform {
      while let seed = tally.withLock({ $0.course.next() }) {
        var trial = try KillTrial(seed: seed, in: base, sounds: sounds)
        try trial.perform()
        let (work, ends, problems) = (trial.work, trial.ends, trial.problems)
        if echo { print("seed \(seed): \(trial)") }
        tally.withLock { $0.add(seed, work, ends, problems) }
      }
    }
    let ended = tally.withLock { $0 }
    print(ended)
    try soak.end(ended.course)
  }
}

private struct KillTally: CustomStringConvertible {
  var course: SoakCourse
  private var counts: [String: Int] = [:]
  private var (ends, late) = (0, 0)

  init(course: SoakCourse) { self.course = course }

  mutating func add(
    _ seed: UInt64, _ work: KillTrial.Work, _ ends: [String], _ problems: [String]
  ) {
    for end in ends { counts["\(work), \(end)", default: 0] += 1 }
    let late = ends.count { $0.hasSuffix(KillTrial.late) }
    self.late += late
    self.ends += ends.count
    course.add(tries: ends.count - late, failures: problems.isEmpty ? 0 : 1)
    guard !problems.isEmpty else { return }
    print("Seed \(seed):\n  \(problems.joined(separator: "\n  "))")
    print("  To repeat: scripts/soak --harness kills --trials 1 --seed \(seed)")
    fflush(nil)
  }

  var description: String {
    counts.sorted { $0.key < $1.key }.map { "\($0): \($1)\n" }.joined()
      + "\(ends) ends, \(ends - late) of them before the command's own;"
      + " \(course.failures) of \(course.seeds) trials with problems"
  }
}

/// Runs a body on each core.
enum EachCore {
  static func perform(_ body: @Sendable () throws -> Void) throws {
    let outcomes = Lock<[Result<Void, any Error>]>([])
    let cores = ProcessInfo.processInfo.activeProcessorCount
    DispatchQueue.concurrentPerform(iterations: cores) { _ in
      let outcome = Result { try body() }
      outcomes.withLock { $0.append(outcome) }
    }
    for outcome in outcomes.withLock({ $0 }) { try outcome.get() }
  }
}
