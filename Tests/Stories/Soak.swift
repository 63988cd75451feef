import ArgumentParser
import Dispatch
import Foundation
import Queues

@main struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Random stories of contexts, told to the core and to a simple reference.",
    discussion:
      "Each seed gives three stories: one for the reference, one over two coordinators whose file "
      + "is checked, and one of two lists, with and without a batch size. Prints the seed of each "
      + "story that goes wrong, and the story, shrunk; then exits 1.")

  @Option(help: "How many stories.") var stories = 100_000
  @Option(help: "How many steps each has.") var steps = 100
  @Option(help: "The seed of the first; each following one has the next. Random if not given.")
  var seed: UInt64?
  @Option(help: "A rule that the reference breaks, to see that stories notice it.") var slip: Slip?
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
    let outcomes = Lock<[Result<Share, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: cores) { core in
      let outcome = Result { try tell(from: first, share: core, of: cores) }
      outcomes.withLock { $0.append(outcome) }
    }
    try report(outcomes.withLock { $0 }.map { try $0.get() })
  }

  private typealias Share = (failures: Int, counts: [String: Int])

  private func tell(from first: UInt64, share: Int, of shares: Int) throws -> Share {
    let runner = StoryRunner(stores: StoryStores(), slip: slip, echoes: echo)
    let fileRunner = FileStoryRunner(stores: StoryStores(), echoes: echo)
    let listRunner = ListStoryRunner(
      stores: StoryStores(), echoes: echo, census: runner.census)
    var failures = 0
    for number in stride(from: share, to: stories, by: shares) {
      let seed = first &+ UInt64(number)
      if let failure = try fileRunner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The file story of seed \(seed), shrunk:\n\(failure)")
      }
      if let failure = try listRunner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The list story of seed \(seed), shrunk:\n\(failure)")
      }
      guard let failure = try runner.failure(ofSeed: seed, steps: steps) else { continue }
      failures += 1
      print("The story of seed \(seed), shrunk:\n\(runner.shrunk(failure))")
    }
    return (failures, runner.census.counts)
  }

  private func report(_ told: [Share]) throws {
    let census = StoryCensus()
    for result in told { census.add(result.counts) }
    let failures = told.map(\.failures).reduce(0, +)
    print("\(stories) stories told, \(failures) of which went wrong. Steps: \(census)")
    let gaps = census.gaps(stories: stories)
    for gap in gaps { print("Error: \(gap)") }
    if failures > 0 || !gaps.isEmpty { throw ExitCode(1) }
  }
}
