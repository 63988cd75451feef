import ArgumentParser
import Foundation
import Harness
import Measurement

// A slowdown is so many nanoseconds for each object; wanted is so much of main_blocked_ms. What lies
// between is measured: pairs at a first guess, then pairs at what those call for, and a line through
// zero. What the pools of slowed pairs then show is told beside their rates.

struct CalibrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Print how many nanoseconds for each object make a topology 1 % slower.")

  @OptionGroup var measured: MeasuredPairs
  @Option(help: "What is slowed: merge or save.") var path: String
  @Option(help: ArgumentHelp("Pairs of each of the two rounds.", valueName: "n")) var pairs = 20

  func validate() throws {
    guard ["merge", "save"].contains(path) else {
      throw ValidationError("--path: '\(path)' is not merge or save")
    }
    guard measured.topology.count == 1, pairs > 0 else {
      throw ValidationError("one --topology, and --pairs from 1 on")
    }
  }

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    var perPercent = 50.0
    for round in [1, 2] as [UInt64] {
      let cost = max(1, (perPercent * 10).rounded())
      let rows = try await measured.measure(
        pairs, seed: round, slowdown: "\(path)=\(Int(cost))", interrupts: interrupts)
      guard let rows else { throw ExitCode(130) }
      perPercent = cost / (try Effect(of: Pool(of: rows)).share * 100)
      guard perPercent > 0, perPercent < 1e6 else {
        throw Pool.Failure(
          description: "\(path)=\(Int(cost)) shows no slowdown of \(measured.topology[0]); is the"
            + " binary one of the trait Slowdown, and does main merge or save there?")
      }
    }
    print(String(format: "%.2f", perPercent))
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
