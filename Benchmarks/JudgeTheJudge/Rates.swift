import Foundation
import Measurement

/// How often which verdict came out.
struct Rates {
  private var counts: [Verdict: Int] = [:]
  private var pairs: [Double] = []

  mutating func add(_ verdict: Verdict) { counts[verdict, default: 0] += 1 }

  mutating func add(_ decision: Decision) {
    add(decision.verdict)
    pairs.append(Double(decision.pairs))
  }

  /// How many pairs half of them needed at most, and nineteen of twenty.
  private var pairsTold: String {
    guard let half = Statistics.quantile(pairs, 0.5), let most = Statistics.quantile(pairs, 0.95)
    else { return "–" }
    return "\(Int(half.rounded())), \(Int(most.rounded()))"
  }

  var total: Int { counts.values.reduce(0, +) }

  /// A row of the table: fail, inconclusive and pass, each with its exact 95 % interval.
  func row(_ name: String) -> String {
    let cells = [Verdict.fail, .inconclusive, .pass].map { verdict in
      let share = Proportion(counts[verdict] ?? 0, of: total)
      let ends = [share.lower, share.upper].map(Self.percent).joined(separator: "–")
      return "\(share.successes) (\(Self.percent(share.share)); \(ends) %)"
    }
    return "| \(([name, "\(total)"] + cells + [pairsTold]).joined(separator: " | ")) |"
  }

  static let header = """
    | what | decided | fail | inconclusive | pass | pairs: median, 95th |
    | --- | --- | --- | --- | --- | --- |
    """

  private static func percent(_ share: Double) -> String {
    String(format: "%.2f", share * 100)
  }
}
