import ArgumentParser
import Dispatch
import Foundation

@main struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Random stories of contexts, told to the core and to a simple reference.",
    discussion:
      "Each seed gives two stories: one for the reference, and one over two coordinators whose file "
      + "is checked. Prints the seed of each story that goes wrong, and the story, shrunk; then "
      + "exits 1.")

  @Option(help: "How many stories.") var stories = 100_000
  @Option(help: "How many steps each has.") var steps = 100
  @Option(help: "The seed of the first; each following one has the next. Random if not given.")
  var seed: UInt64?
  @Flag(help: "Print each step before it is taken: for a step that stops the program.")
  var echo = false

  func validate() throws {
    guard stories > 0 else { throw ValidationError("--stories must be at least 1, not \(stories)") }
    guard steps > 0 else { throw ValidationError("--steps must be at least 1, not \(steps)") }
  }

  func run() throws {
    let first = seed ?? .random(in: 0..<1 << 32)
    let cores = echo ? 1 : ProcessInfo.processInfo.activeProcessorCount
    print("\(stories) stories of \(steps) steps from seed \(first), on \(cores) core(s) …")
    let outcomes = Outcomes()
    DispatchQueue.concurrentPerform(iterations: cores) { core in
      outcomes.add(Result { try tell(from: first, share: core, of: cores) })
    }
    try outcomes.report(stories: stories)
  }

  private func tell(
    from first: UInt64, share: Int, of shares: Int
  ) throws -> (failures: Int, counts: [String: Int]) {
    let runner = StoryRunner(stores: StoryStores(), echoes: echo)
    let fileRunner = FileStoryRunner(stores: StoryStores(), echoes: echo)
    var failures = 0
    for number in stride(from: share, to: stories, by: shares) {
      let seed = first &+ UInt64(number)
      if let failure = try fileRunner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The file story of seed \(seed), shrunk:\n\(failure)")
      }
      guard let failure = try runner.failure(ofSeed: seed, steps: steps) else { continue }
      failures += 1
      print("The story of seed \(seed), shrunk:\n\(runner.shrunk(failure))")
    }
    return (failures, runner.census.counts)
  }
}

// @unchecked: the results are under the lock.
private final class Outcomes: @unchecked Sendable {
  private let lock = NSLock()
  private var results: [Result<(failures: Int, counts: [String: Int]), any Error>] = []

  func add(_ result: Result<(failures: Int, counts: [String: Int]), any Error>) {
    lock.withLock { results.append(result) }
  }

  func report(stories: Int) throws {
    let told = try lock.withLock { try results.map { try $0.get() } }
    let census = StoryCensus()
    for result in told { census.add(result.counts) }
    let failures = told.map(\.failures).reduce(0, +)
    print("\(stories) stories told, \(failures) of which went wrong. Steps: \(census)")
    let gaps = census.gaps(stories: stories)
    for gap in gaps { print("Error: \(gap)") }
    if failures > 0 || !gaps.isEmpty { throw ExitCode(1) }
  }
}
