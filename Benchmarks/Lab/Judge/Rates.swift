import Foundation
import Judging
import Measurement

struct Rates {
  private var counts: [Verdict: Int] = [:]
  private var pairs: [Double] = []
  private var estimates: [Double] = []
  private var foundAsEstimated = 0

  mutating func add(_ verdict: Verdict) { counts[verdict, default: 0] += 1 }

  mutating func add(_ decision: Decision) {
    add(decision.verdict)
    pairs.append(Double(decision.pairs))
    guard let estimate = decision.estimate else { return }
    estimates.append(Double(estimate))
    if decision.verdict == .fail, decision.pairs <= estimate { foundAsEstimated += 1 }
  }

  private var pairsText: String {
    guard let half = Statistics.quantile(pairs, 0.5), let most = Statistics.quantile(pairs, 0.95)
    else { return "–" }
    return "\(Int(half.rounded())), \(Int(most.rounded()))"
  }

  /// The decisions found within the doctor's estimate, and the median of the estimates.
  private var estimatesText: String {
    guard let half = Statistics.quantile(estimates, 0.5) else { return "–" }
    return "\(Self.formatted(foundAsEstimated, of: estimates.count)); \(Int(half.rounded()))"
  }

  var total: Int { counts.values.reduce(0, +) }

  /// Each count has its exact 95 % interval.
  func row(_ name: String) -> String {
    let cells = [Verdict.fail, .inconclusive, .pass].map {
      Self.formatted(counts[$0] ?? 0, of: total)
    }
    let row = [name, "\(total)"] + cells + [pairsText, estimatesText]
    return "| \(row.joined(separator: " | ")) |"
  }

  private static func formatted(_ successes: Int, of total: Int) -> String {
    let share = Proportion(successes, of: total)
    let ends = [share.lower, share.upper].map(percent).joined(separator: "–")
    return "\(successes) (\(percent(share.share)); \(ends) %)"
  }

  static let header = """
    | what | decided | fail | inconclusive | pass | pairs: median, 95th | found within the doctor's estimate; median estimate |
    | --- | --- | --- | --- | --- | --- | --- |
    """

  private static func percent(_ share: Double) -> String {
    String(format: "%.2f", share * 100)
  }
}
