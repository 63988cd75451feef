import ArgumentParser
import Dispatch
import Foundation
import Queues
import SoakSupport

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
  @Option(help: "A rule that the reference breaks, to see that stories notice it.") var slip: Slip?
  @Flag(help: "Print each step before it is taken: for a step that stops the program.")
  var echo = false
  @OptionGroup var soak: SoakOptions

  func validate() throws {
    guard stories > 0 else { throw ValidationError("--stories must be at least 1, not \(stories)") }
    guard steps > 0 else { throw ValidationError("--steps must be at least 1, not \(steps)") }
  }

  func run() throws {
    let cores = echo ? 1 : ProcessInfo.processInfo.activeProcessorCount
    let course = Lock(soak.begin("stories", count: stories))
    let outcomes = Lock<[Result<[String: Int], any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: cores) { _ in
      let outcome = Result { try tell(course) }
      outcomes.withLock { $0.append(outcome) }
    }
    try report(outcomes.withLock { $0 }.map { try $0.get() }, course.withLock { $0 })
  }

  /// - Returns: how often each kind of step was taken.
  private func tell(_ course: Lock<SoakCourse>) throws -> [String: Int] {
    let runner = StoryRunner(stores: StoryStores(), slip: slip, echoes: echo)
    let fileRunner = FileStoryRunner(stores: StoryStores(), echoes: echo)
    let listRunner = ListStoryRunner(
      stores: StoryStores(), echoes: echo, census: runner.census)
    while let seed = course.withLock({ $0.next() }) {
      var failures = 0
      if let failure = try fileRunner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The file story of seed \(seed), shrunk:\n\(failure)")
      }
      if let failure = try listRunner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The list story of seed \(seed), shrunk:\n\(failure)")
      }
      if let failure = try runner.failure(ofSeed: seed, steps: steps) {
        failures += 1
        print("The story of seed \(seed), shrunk:\n\(runner.shrunk(failure))")
      }
      course.withLock { $0.add(failures: failures) }
    }
    return runner.census.counts
  }

  private func report(_ counts: [[String: Int]], _ course: SoakCourse) throws {
    let census = StoryCensus()
    for counts in counts { census.add(counts) }
    let told = course.seeds
    print("\(told) stories told, \(course.failures) of which went wrong. Steps: \(census)")
    let gaps = census.gaps(stories: told)
    for gap in gaps { print("Error: \(gap)") }
    try soak.end(course)
    if !gaps.isEmpty { throw ExitCode(1) }
  }
}
