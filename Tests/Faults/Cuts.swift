import ArgumentParser
import Foundation
import SQLiteStore

struct Cuts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cuts the power at drawn changes of random stories.")

  @Option(help: "How many stories.") var stories = 1000
  @Option(help: "How often the power is cut in each.") var cuts = 10
  @Option(help: "The first story's seed; each following one has the next. Random if not given.")
  var seed: UInt64?
  @Option(help: "The number of one cut.") var cut: Int?

  func run() throws {
    let first = seed ?? .random(in: 0..<1 << 32)
    print("\(stories) stories from seed \(first), cut \(cuts) times each")
    fflush(nil)
    let folder = try TrialFolder()
    let begun = try FirstStores(in: folder.url)
    var tally = CutTally()
    for seed in first..<first + UInt64(stories) {
      let story = CutStory(seed: seed)
      let trial = try CutTrial(folder: folder.url, stores: begun, story: story)
      for number in cut.map({ $0...$0 }) ?? 1...cuts {
        tally.add(story, number, try trial.cut(number))
      }
    }
    print(tally)
    if tally.problems > 0 { throw ExitCode(1) }
  }
}

private struct CutTally: CustomStringConvertible {
  private(set) var problems = 0
  private var cuts: [Synchronous: Int] = [:]
  private var losses: [Synchronous: Int] = [:]

  mutating func add(_ story: CutStory, _ number: Int, _ outcome: CutTrial.Outcome) {
    cuts[story.synchronous, default: 0] += 1
    losses[story.synchronous, default: 0] += outcome.hasLost ? 1 : 0
    guard !outcome.problems.isEmpty else { return }
    problems += 1
    let seed = story.seed
    print("Story \(seed) (\(story.description)):\n  \(outcome.problems.joined(separator: "\n  "))")
    print("  To repeat: scripts/soak --faults cuts --stories 1 --seed \(seed) --cut \(number)")
  }

  var description: String {
    let (off, normal, full) = (count(.off), count(.normal), count(.full))
    return """
      FULL: \(full) lost commits
      NORMAL: \(normal) lost commits, all since the last checkpoint
      OFF: \(off) lost commits or damaged the file
      \(cuts.values.reduce(0, +)) cuts; \(problems) with problems
      """
  }

  private func count(_ synchronous: Synchronous) -> String {
    "\(losses[synchronous] ?? 0) of \(cuts[synchronous] ?? 0) cuts"
  }
}
