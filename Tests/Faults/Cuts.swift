import ArgumentParser
import Foundation
import SQLiteStore
import SoakSupport

struct Cuts: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cuts the power at drawn changes of random stories.")

  @Option(help: "How many stories.") var stories = 1000
  @Option(help: "How often the power is cut in each.") var cuts = 10
  @Option(help: "The number of one cut.") var cut: Int?
  @OptionGroup var soak: SoakOptions

  func run() throws {
    var course = soak.begin("power cuts", count: stories)
    let folder = try TrialFolder()
    let begun = try FirstStores(in: folder.url)
    var tally = CutTally()
    while let seed = course.next() {
      let story = CutStory(seed: seed)
      let trial = try CutTrial(folder: folder.url, stores: begun, story: story)
      for number in cut.map({ $0...$0 }) ?? 1...cuts {
        course.add(failures: tally.add(story, number, outcome(of: number, trial)) ? 0 : 1)
      }
    }
    print(tally)
    try soak.end(course)
  }

  /// An error is a problem of the try.
  private func outcome(of number: Int, _ trial: CutTrial) -> CutTrial.Outcome {
    do { return try trial.cut(number) } catch { return .init(problems: ["\(error)"]) }
  }
}

private struct CutTally: CustomStringConvertible {
  private var problems = 0
  private var cuts: [Synchronous: Int] = [:]
  private var losses: [Synchronous: Int] = [:]

  /// - Returns: whether the outcome is what is promised.
  mutating func add(_ story: CutStory, _ number: Int, _ outcome: CutTrial.Outcome) -> Bool {
    cuts[story.synchronous, default: 0] += 1
    losses[story.synchronous, default: 0] += outcome.hasLost ? 1 : 0
    guard !outcome.problems.isEmpty else { return true }
    problems += 1
    let seed = story.seed
    print("Story \(seed) (\(story.description)):\n  \(outcome.problems.joined(separator: "\n  "))")
    print("  To repeat: scripts/soak --faults cuts --stories 1 --seed \(seed) --cut \(number)")
    return false
  }

  var description: String {
    let (off, normal, full) = (count(.off), count(.normal), count(.full))
    return """
      FULL: \(full) lost commits
      NORMAL: \(normal) lost commits\(problems == 0 ? ", all since the last checkpoint" : "")
      OFF: \(off) lost commits or damaged the file
      \(cuts.values.reduce(0, +)) cuts; \(problems) with problems
      """
  }

  private func count(_ synchronous: Synchronous) -> String {
    "\(losses[synchronous] ?? 0) of \(cuts[synchronous] ?? 0) cuts"
  }
}
