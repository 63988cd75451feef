import ArgumentParser
import Foundation
import SQLiteStore
import SoakSupport

struct Calls: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Fails one call after the other of the stories' calls to the disk.",
    discussion:
      "A seed decides with which call to begin. As many seeds as --every says reach all calls but"
      + " allocations.")

  @Option(help: "Fail only every n-th call of each kind, and every 31n-th allocation.")
  var every = 1
  @Option(help: "Only trials whose name begins with this, such as saves/pool/read/17/io/once.")
  var trial: String?
  @OptionGroup var soak: SoakOptions

  func run() throws {
    try SimulatedDisks.install()
    let folder = try TrialFolder()
    let stores = try FirstStores(in: folder.url)
    var course = soak.begin("failing calls", count: 1)
    var tally = CallTally(trial: trial)
    while let seed = course.next() {
      for story in CallStory.all {
        for mode in StoreMode.allCases {
          try tell(story, mode, seed, folder, stores, &tally)
        }
      }
    }
    print(tally)
    if let trial, tally.trials == 0 {
      throw ValidationError("--trial: no trial's name begins with \(trial)")
    }
    course.add(tries: tally.trials, failures: tally.problems)
    try soak.end(course)
  }

  private func tell(
    _ story: CallStory, _ mode: StoreMode, _ seed: UInt64, _ folder: TrialFolder,
    _ stores: FirstStores, _ tally: inout CallTally
  ) throws {
    func outcome(_ fault: Fault?, _ sound: CallTrial.Outcome?) throws -> CallTrial.Outcome {
      try CallTrial(
        folder: folder.url, stores: stores, story: story, mode: mode, fault: fault, sound: sound
      ).run()
    }
    SoakCourse.name("\(story.name)/\(mode)")
    // The second run counts the allocations that may fail.
    let sound = try outcome(nil, outcome(nil, nil))
    tally.begin(story, mode, sound)
    for fault in tally.faults(sound.counts, every: every, seed) {
      SoakCourse.name("\(story.name)/\(mode)/\(fault)")
      do { try tally.add(fault, outcome(fault, sound)) } catch {
        tally.add(fault, CallTrial.Outcome(problems: ["\(error)"]))
      }
    }
  }
}

/// Prints and counts the outcomes of trials.
private struct CallTally: CustomStringConvertible {
  /// The start of the names of the trials to run; nil for all.
  let trial: String?
  private(set) var problems = 0
  private(set) var trials = 0
  private var errors = 0
  private var name = ""
  /// By kind: the steps that went on without the failed call.
  private var coped: [DiskCall.Kind: Set<String>] = [:]

  init(trial: String?) { self.trial = trial }

  mutating func begin(_ story: CallStory, _ mode: StoreMode, _ sound: CallTrial.Outcome) {
    name = "\(story.name)/\(mode)"
    let counts = DiskCall.Kind.allCases.map { "\(sound.counts[$0] ?? 0) \($0)" }
    print("\(name): \(sound.counts.values.reduce(0, +)) calls: \(counts.joined(separator: ", "))")
    report("", sound)
    // A trial may stop the program.
    fflush(nil)
  }

  mutating func add(_ fault: Fault, _ outcome: CallTrial.Outcome) {
    trials += 1
    errors += outcome.error == nil ? 0 : 1
    // A request waits for a busy lock, so it meets no error.
    if let step = outcome.coped, fault.failure != .busy {
      coped[fault.kind, default: []].insert(step)
    }
    if trial == "\(name)/\(fault)" { print(outcome.error ?? "no error") }
    report("/\(fault)", outcome)
  }

  private mutating func report(_ fault: String, _ outcome: CallTrial.Outcome) {
    guard !outcome.problems.isEmpty else { return }
    problems += 1
    print("\(name)\(fault):\n  \(outcome.problems.joined(separator: "\n  "))")
    print("  To repeat: scripts/soak --faults calls --trial \(name)\(fault)")
  }

  func faults(_ counts: [DiskCall.Kind: Int], every: Int, _ seed: UInt64) -> [Fault] {
    DiskCall.Kind.allCases.flatMap { kind in
      // There are ten times as many allocations as other calls, much alike.
      let step = trial != nil ? 1 : kind == .allocate ? every * 31 : every
      return stride(
        from: 1 + Int(seed % UInt64(step)), through: counts[kind] ?? 0, by: step
      ).flatMap { number in
        kind.failures.flatMap { failure in
          // SQLite itself waits for ten seconds while the shared memory is busy.
          (failure == .busy ? [false] : [false, true]).map {
            Fault(kind: kind, number: number, failure: failure, isLasting: $0)
          }
        }
      }
    }.filter { "\(name)/\($0)".hasPrefix(trial ?? "") }
  }

  var description: String {
    let coped = coped.map { "went on without \($0): \($1.sorted().joined(separator: ", "))" }
    return coped.sorted().joined(separator: "\n")
      + "\n\(trials) trials, \(errors) of which met an error; \(problems) with problems"
  }
}
