import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement

// A slowdown is a number of nanoseconds for each object, the aim a percentage of main_blocked_ms.
// The relation is not linear, so it is measured.
//
//   guess ─▶ pairs ─▶ effect ─▶ within a fifth of the aim ─▶ print the cost
//     ▲                  └─▶ otherwise: cost × aim / effect
//     └──────────────────────────┘
//
struct CalibrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Print the slowdown per object that makes a topology slower by a percentage.")

  @OptionGroup var measured: MeasuredPairs
  @Option(help: "The slowed work: merge or save.") var path: String
  @Option(help: ArgumentHelp("The wanted rise of main_blocked_ms.", valueName: "percent"))
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
      let effect = try SlowdownEffect(of: Pool(of: rows))
      say("\(slowdown): \(effect.text)")
      let share = effect.share * 100 / percent
      if abs(share - 1) < 0.2 { return print(Int(cost.rounded())) }
      // Noise may hide a first effect.
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

/// How much slower a pool's candidates are, in `main_blocked_ms`.
struct SlowdownEffect {
  /// A share of the baseline, by the Hodges-Lehmann estimate.
  let share: Double
  /// The 95 % interval.
  let lower: Double
  let upper: Double
  let pairs: Int

  init(of pool: Pool) throws {
    let ratios = pool.pairs[0].filter(\.isOK).compactMap { pair in
      pair.values(.mainBlocked).map { log($0.candidate / $0.baseline) }
    }
    guard let shift = RankShift(paired: ratios), let low = shift.lowerBound(tail: 0.025),
      let high = shift.upperBound(tail: 0.025)
    else { throw Pool.Failure(description: "there are too few pairs to estimate a slowdown") }
    (share, lower, upper) = (exp(shift.estimate) - 1, exp(low) - 1, exp(high) - 1)
    pairs = ratios.count
  }

  var text: String {
    let percent = [share, lower, upper].map { String(format: "%+.1f", $0 * 100) }
    return "\(percent[0]) % measured (\(percent[1]) to \(percent[2]), \(pairs) pairs)"
  }
}
