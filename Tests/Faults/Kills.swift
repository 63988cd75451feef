import ArgumentParser
import Foundation
import Queues
import SQLiteStore
import SoakSupport
import Support

/// Performs a story's steps, and prints a line after each.
struct Tell: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells one story of cuts, to be killed.", shouldDisplay: false)

  @Option var seed: UInt64
  @Option var store: String

  func run() throws {
    let story = CutStory(seed: seed)
    let world = CutWorld(URL(filePath: store), story)
    for step in story.steps {
      try world.perform(step)
      FileHandle.standardOutput.write(Data("done\n".utf8))
    }
  }
}

struct Kills: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Kills processes at drawn instants of random stories.")

  @Option(help: "How many stories.") var stories = 200
  @Option(help: "How many processes are killed in each.") var kills = 5
  @OptionGroup var soak: SoakOptions

  func run() throws {
    var course = soak.begin("killed processes", count: stories)
    let folder = try TrialFolder()
    let begun = try FirstStores(in: folder.url)
    var (tried, early, problems) = (0, 0, 0)
    while let seed = course.next() {
      let trial = try CutTrial(folder: folder.url, stores: begun, story: CutStory(seed: seed))
      for number in 1...kills {
        let (outcome, isEarly) = outcome { try trial.kill(number) }
        tried += 1
        early += isEarly ? 1 : 0
        course.add(tries: isEarly ? 1 : 0, failures: outcome.problems.isEmpty ? 0 : 1)
        guard !outcome.problems.isEmpty else { continue }
        problems += 1
        print("Story \(seed), kill \(number):\n  \(outcome.problems.joined(separator: "\n  "))")
        print("  To repeat: scripts/soak --faults kills --stories 1 --seed \(seed)")
      }
    }
    print("\(tried) kills, \(early) of them before the end; \(problems) with problems")
    try soak.end(course)
  }

  /// An error is a problem of the try.
  private func outcome(
    _ kill: () throws -> (CutTrial.Outcome, isEarly: Bool)
  ) -> (CutTrial.Outcome, isEarly: Bool) {
    do { return try kill() } catch { return (CutTrial.Outcome(problems: ["\(error)"]), true) }
  }
}

extension CutTrial {
  /// A commit lies in the system's memory at least, which a process leaves behind.
  fileprivate func kill(_ number: Int) throws -> (Outcome, isEarly: Bool) {
    var generator = SplitMix64(seed: story.seed, stream: UInt64(number) + 1)
    try begin()
    let child = try TellingProcess(story, url)
    // A drawn number of steps, and up to a millisecond of the next.
    let steps = generator.next(below: story.steps.count)
    child.awaitSteps(steps)
    child.kill(after: .microseconds(generator.next(below: 1000)))
    let done = child.steps
    var outcome = try check(
      Promise(states: done...min(done + 1, states.count - 1), seen: done))
    outcome.problems += try reopen()
    if done < story.steps.count, !child.wasKilled {
      outcome.problems.append("the process failed after \(done) steps, before it was killed")
    }
    return (outcome, done < story.steps.count)
  }
}

/// A process that tells a story.
private final class TellingProcess {
  private let process = Process()
  private let output = Pipe()
  private(set) var steps = 0
  private(set) var wasKilled = false

  init(_ story: CutStory, _ store: URL) throws {
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["tell", "--seed", "\(story.seed)", "--store", store.path]
    process.standardOutput = output
    try process.run()
  }

  func awaitSteps(_ count: Int) {
    while steps < count, read() {}
  }

  /// Spins, because no sleep is that short.
  func kill(after delay: Duration) {
    let clock = SystemClock()
    let start = clock.now()
    while clock.now() - start < delay {}
    Foundation.kill(process.processIdentifier, SIGKILL)
    while read() {}
    process.waitUntilExit()
    wasKilled =
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  /// False at the end.
  private func read() -> Bool {
    let text = output.fileHandleForReading.availableData
    steps += text.count { $0 == UInt8(ascii: "\n") }
    return !text.isEmpty
  }
}
