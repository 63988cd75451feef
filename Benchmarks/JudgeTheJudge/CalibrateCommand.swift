import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement

// A slowdown is so many nanoseconds for each object; wanted is so much of main_blocked_ms. What lies
// between is measured, and no straight line: where main merges while the worker saves, what slows one
// also keeps it out of the other's way.
//
//   guess ─▶ pairs ─▶ effect ─▶ as wanted, within a fifth ─▶ the cost is printed
//     ▲                  └─▶ not so: cost × wanted / effect
//     └──────────────────────────┘
//
// What the pool that is measured with it then shows stands beside its rates.

struct CalibrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Print how many nanoseconds for each object make a topology so much slower.")

  @OptionGroup var measured: MeasuredPairs
  @Option(help: "What is slowed: merge or save.") var path: String
  @Option(help: ArgumentHelp("By how much main_blocked_ms is to rise.", valueName: "percent"))
  var percent = 10.0
  @Option(help: ArgumentHelp("Pairs of each round.", valueName: "n")) var pairs = 40
  @Option(help: ArgumentHelp("The most rounds.", valueName: "n")) var rounds = 5

  func validate() throws {
    guard ["merge", "save"].contains(path) else {
      throw ValidationError("--path: '\(path)' is not merge or save")
    }
    guard measured.topology.count == 1, pairs > 0, rounds > 0, percent > 0, percent < 1000 else {
      throw ValidationError(
        "one --topology, --pairs and --rounds from 1 on, --percent above 0 and below 1000")
    }
  }

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    var cost = 40 * percent
    for round in 1...UInt64(rounds) {
      let slowdown = "\(path)=\(Int(cost.rounded()))"
      let rows = try await measured.measure(
        pairs, seed: round, slowdown: slowdown, interrupts: interrupts)
      guard let rows else { throw ExitCode(130) }
      let effect = try Effect(of: Pool(of: rows))
      say("\(slowdown): \(effect.text)")
      let share = effect.share * 100 / percent
      if abs(share - 1) < 0.2 { return print(Int(cost.rounded())) }
      // A first effect may be far off, or drown in noise.
      cost = min(1e6, cost / min(4, max(0.25, share)))
    }
    throw Pool.Failure(
      description:
        "\(rounds) rounds did not make \(measured.topology[0]) \(percent) % slower; is the"
        + " binary one of the trait Slowdown, does main \(path) there, and are \(pairs) pairs enough?"
    )
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("  \(text)\n".utf8))
  }
}

/// By how much a pool's candidates are slower, in `main_blocked_ms`.
struct Effect {
  /// As a share of the baseline: Hodges and Lehmann's estimate.
  let share: Double
  /// With 95 %.
  let lower: Double
  let upper: Double
  let pairs: Int

  init(of pool: Pool) throws {
    let ratios = pool.pairs[0].filter(\.isOK).compactMap { pair in
      pair.values("main_blocked_ms").map { log($0.candidate / $0.baseline) }
    }
    guard let shift = RankShift(paired: ratios), let low = shift.lowerBound(tail: 0.025),
      let high = shift.upperBound(tail: 0.025)
    else { throw Pool.Failure(description: "there are too few pairs to tell a slowdown from") }
    (share, lower, upper) = (exp(shift.estimate) - 1, exp(low) - 1, exp(high) - 1)
    pairs = ratios.count
  }

  var text: String {
    let percent = [share, lower, upper].map { String(format: "%+.1f", $0 * 100) }
    return "\(percent[0]) % measured (\(percent[1]) to \(percent[2]), \(pairs) pairs)"
  }
}
