import ArgumentParser
import CInterleaving
import Foundation
import Queues
import SoakSupport
import Support

extension InterleavingSoak {
  /// Each try is a schedule. A story that ends in a deadlock or a crash takes its process with it.
  func runEach(_ stories: [Story]) throws {
    var course = soak.begin("interleavings", count: stories.count)
    while let seed = course.next() {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = arguments(stories[(course.seeds - 1) % stories.count], seed: seed)
      try process.run()
      process.waitUntilExit()
      course.add(tries: schedules, failures: process.terminationStatus == 0 ? 0 : 1)
    }
    print(
      "\(course.seeds) stories in \(schedules) schedules each; \(course.failures) with problems")
    try soak.end(course)
  }

  private func arguments(_ story: Story, seed: UInt64) -> [String] {
    var arguments = ["--story", story.name, "--seed", "\(seed)", "--schedules", "\(schedules)"]
    if let depth { arguments += ["--depth", "\(depth)"] }
    if isConfident { arguments.append("--confident") }
    if exhaustive { arguments += ["--exhaustive", "--preemptions", "\(preemptions)"] }
    return arguments
  }

  func runOne(_ story: Story) throws {
    cinterleaving_on_crash {
      Trial.current.withLock {
        guard let trial = $0 else { return }
        Failure(trial: trial, run: Run(cinterleaving_now()))
          .tell(["the program stopped, for the reason above"])
      }
    }
    if let schedule {
      guard let schedule = Schedule(schedule) else {
        throw ValidationError("a schedule looks like this: 12:3,40:1")
      }
      return try tell(story, .schedule(schedule))
    }
    var tally = Tally(story: story, echo: echo)
    if exhaustive {
      try explore(story, &tally)
    } else {
      try draw(story, &tally)
    }
    print(tally)
    fflush(nil)
  }

  private func tell(_ story: Story, _ decider: Decider) throws {
    var tally = Tally(story: story, echo: echo)
    _ = try tally.run(.schedule(Schedule()))
    let run = try tally.run(decider)
    print("\(story.name): no problem in \(run.steps) steps of \(run.threads) threads")
  }

  private func draw(_ story: Story, _ tally: inout Tally) throws {
    let first = soak.seed ?? .random(in: 0..<1 << 32)
    // Lazy initialisers run in the first trial.
    _ = try tally.run(.schedule(Schedule()))
    let usual = try tally.run(.schedule(Schedule()))
    tally.begin(usual)
    var count = schedules
    if isConfident {
      count = tally.enough(depth: depth ?? 3)
      print("At most \(count) schedules")
    }
    for number in 0..<UInt64(count) {
      let depth = depth ?? Int(number % 3) + 1
      _ = try tally.run(.random(seed: first &+ number, depth: depth, steps: usual.steps))
    }
  }

  private func explore(_ story: Story, _ tally: inout Tally) throws {
    _ = try tally.run(.schedule(Schedule()))
    tally.begin(nil)
    var exploration = Exploration(mostPreemptions: preemptions)
    while !exploration.isComplete, tally.count < schedules {
      exploration.learn(try tally.run(.schedule(exploration.next)))
    }
    tally.isComplete = exploration.isComplete
  }
}

/// Counts the schedules of a story. The first problem ends the process.
struct Tally: CustomStringConvertible {
  let story: Story
  private let echo: Bool
  private(set) var count = 0
  var isComplete = false
  private var usual: Run?
  private var different: Set<UInt64> = []
  private var counts: [String: Int]?

  init(story: Story, echo: Bool = false) {
    self.story = story
    self.echo = echo
  }

  /// Earlier runs do not count.
  mutating func begin(_ usual: Run?) {
    self.usual = usual
    count = 0
  }

  mutating func run(_ decider: Decider) throws -> Run {
    count += 1
    let trial = Trial(story: story.name, decider: decider, number: count)
    Trial.current.withLock { $0 = trial }
    let (run, checks) = try story.tell(decider)
    different.insert(run.fingerprint)
    if echo { print("fingerprint \(String(run.fingerprint, radix: 16)): \(run.schedule)") }
    counts = counts ?? checks.counts
    var problems = checks.problems
    for (name, count) in checks.counts where counts?[name] != count {
      problems.append("\(name): \(count), not \(counts?[name] ?? 0) as in other schedules")
    }
    guard problems.isEmpty else {
      Failure(trial: trial, run: run).tell(problems)
      if run.outcome == cinterleaving_deadlock { cinterleaving_print_waits() }
      SmallStore.removeFolder()
      fflush(nil)
      _exit(1)
    }
    return run
  }

  var description: String {
    let counted = "\(story.name): \(count) schedules, \(different.count) different"
    guard let usual else {
      return "\(counted), \(isComplete ? "all there are" : "not all"); 0 with problems"
    }
    let missed = (1...3).map { depth in
      let found = Self.chance(depth: depth, threads: usual.threads, steps: usual.steps)
      // Depths take turns.
      let draws = Double(count) / 3
      return "\(Int((100 * pow(1 - found, draws)).rounded(.up))) %"
    }
    return """
      \(counted), of \(usual.threads) threads and \(usual.steps) steps; 0 with problems
        A bug of depth 1, 2 or 3 is missed by chance in at most \(missed.joined(separator: ", "))
      """
  }

  /// As many schedules miss a bug of this depth in at most one of a hundred cases.
  func enough(depth: Int) -> Int {
    guard let usual else { return 1 }
    let found = Self.chance(depth: depth, threads: usual.threads, steps: usual.steps)
    return Int((log(0.01) / log1p(-found)).rounded(.up))
  }

  /// The least probability that one schedule finds a bug of this depth.
  static func chance(depth: Int, threads: Int, steps: Int) -> Double {
    1 / (Double(max(1, threads)) * pow(Double(max(1, steps)), Double(depth - 1)))
  }
}

struct Failure {
  let trial: Trial
  let run: Run

  func tell(_ problems: [String]) {
    var found = ""
    if case .random(let seed, let depth, _) = trial.decider {
      found = "seed \(seed), depth \(depth), "
    }
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let again = "--story \(trial.story) --schedule \(run.schedule)"
    print(
      """
      Story \(trial.story) (\(found)schedule \(trial.number)):
        \(problems.joined(separator: "\n  "))
        To repeat: scripts/soak --interleavings \(again)
        In a debugger: gdb --args \(program) \(again)
      """)
    fflush(nil)
  }
}
