import ArgumentParser
import Harness

struct CountCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "Count the instructions of topologies in a scenario, once each.",
    discussion: """
      Like `topobench run --count`. Valgrind counts what main executes in the database, and what \
      the workers execute. A busy machine does not change that much. Small scenarios still differ \
      by some percent from count to count. Instructions do not show waits, cache misses or syncs.

      Examples:
        topobench count --scenario 5000-cities --output counts.csv
      """)

  @OptionGroup var options: RunOptions

  func run() async throws {
    try await options.run(counting: options.counts.slices)
  }
}
