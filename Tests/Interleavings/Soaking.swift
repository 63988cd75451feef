import ArgumentParser
import CInterleaving
import Foundation
import Queues
import SoakSupport
import Support

extension InterleavingSoak {
  /// Each try is a schedule. Each story has its own process, because a deadlock or a crash ends it.
  func runEach(_ stories: [Story]) throws {
    let name = exhaustive ? "exhaustive orders" : "interleavings"
    var course = soak.begin(name, count: stories.count)
    while let seed = course.next() {
      let told = try countSchedules(of: stories[Int(seed % UInt64(stories.count))], seed: seed)
      // The first problem ends a story.
      course.add(tries: told ?? 1, failures: told == nil ? 1 : 0)
    }
    print(
      "\(course.seeds) stories in \(schedules) schedules each; \(course.failures) with problems")
    try soak.end(course)
  }

  /// - Returns: the number of schedules; nil after a problem.
  private func countSchedules(of story: Story, seed: UInt64) throws -> Int? {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments(story, seed: seed)
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    print(output, terminator: "")
    fflush(nil)
    guard process.terminationStatus == 0 else { return nil }
    return output.firstMatch(of: /: ([0-9]+) schedules,/).flatMap { Int($0.1) }
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
    _ = try tally.run(.schedule(Schedule()))
    let fixed = depth ?? (isConfident ? 3 : nil)
    tally.begin(Trial.Drawing(seed: first, depth: fixed))
    var number: UInt64 = 0
    var most = isConfident ? 0 : schedules
    while true {
      // A schedule with more steps or threads than those before raises the number that is enough.
      if isConfident, most != tally.enough(depth: fixed ?? 3) {
        most = tally.enough(depth: fixed ?? 3)
        print("At most \(most) schedules")
      }
      guard tally.count < most else { return }
      let depth = fixed ?? Int(number % 3) + 1
      _ = try tally.run(.random(seed: first &+ number, depth: depth, steps: tally.mostSteps))
      number += 1
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
  private var drawing: Trial.Drawing?
  private var mostThreads = 1
  /// Of any schedule so far.
  private(set) var mostSteps = 1
  /// By depth: the schedules that were drawn for as many steps as any has. Others may have had no
  /// chance to stop a thread at the last steps.
  private var draws: [Int: Int] = [:]
  private var different: Set<UInt64> = []
  private var counts: [String: Int]?

  init(story: Story, echo: Bool = false) {
    self.story = story
    self.echo = echo
  }

  /// Earlier runs do not count.
  mutating func begin(_ drawing: Trial.Drawing?) {
    self.drawing = drawing
    different = []
    count = 0
  }

  mutating func run(_ decider: Decider) throws -> Run {
    count += 1
    let trial = Trial(story: story.name, drawing: drawing, number: count)
    Trial.current.withLock { $0 = trial }
    let (run, checks) = try story.tell(decider)
    different.insert(run.fingerprint)
    if case .random(_, let depth, _) = decider { draws[depth, default: 0] += 1 }
    if run.steps > mostSteps { draws = draws.mapValues { _ in 0 } }
    (mostThreads, mostSteps) = (max(mostThreads, run.threads), max(mostSteps, run.steps))
    if echo { print("fingerprint \(String(run.fingerprint, radix: 16)): \(run.schedule)") }
    counts = counts ?? checks.counts
    var problems = checks.problems
    for (name, count) in checks.counts where counts?[name] != count {
      problems.append("\(name): \(count), not \(counts?[name] ?? 0) as in other schedules")
    }
    guard problems.isEmpty else {
      Failure(trial: trial, run: run).tell(problems)
      if run.outcome == cinterleaving_deadlock { cinterleaving_print_waits() }
      SmallStore.folder.remove()
      fflush(nil)
      _exit(1)
    }
    return run
  }

  var description: String {
    let counted = "\(story.name): \(count) schedules, \(different.count) different"
    guard drawing != nil else {
      return "\(counted), \(isComplete ? "all there are" : "not all"); 0 with problems"
    }
    let missed = draws.sorted { $0.key < $1.key }.map { depth, number in
      let missed = pow(1 - chance(depth: depth), Double(number))
      return "\n  A bug of depth \(depth) is missed by chance in at most"
        + " \(Int((100 * missed).rounded(.up))) %"
    }
    return "\(counted), of at most \(mostThreads) threads and \(mostSteps) steps; 0 with problems"
      + missed.joined()
  }

  /// As many schedules of this depth alone, with those so far, miss a bug of the depth in at most
  /// one of a hundred cases.
  func enough(depth: Int) -> Int {
    let needed = Int((log(0.01) / log1p(-chance(depth: depth))).rounded(.up))
    return count - draws[depth, default: 0] + needed
  }

  /// The least probability that one schedule finds a bug of this depth.
  private func chance(depth: Int) -> Double {
    1 / (Double(mostThreads) * pow(Double(mostSteps), Double(depth - 1)))
  }
}

struct Failure {
  let trial: Trial
  let run: Run

  func tell(_ problems: [String]) {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    let again = "\(program) --story \(trial.story)"
    var (found, draw) = ("", "")
    if let drawing = trial.drawing {
      found = "seed \(drawing.seed), "
      draw = "\n  From the seed: \(again) \(drawing.options) --schedules \(trial.number)"
    }
    print(
      """
      Story \(trial.story) (\(found)schedule \(trial.number)):
        \(problems.joined(separator: "\n  "))
        To repeat: \(again) --schedule \(run.schedule)
        In a debugger: gdb --args \(again) --schedule \(run.schedule)
      """ + draw)
    fflush(nil)
  }
}
