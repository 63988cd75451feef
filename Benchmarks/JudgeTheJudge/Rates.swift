import Foundation
import Judging
import Measurement

/// How often which verdict came out.
struct Rates {
  private var counts: [Verdict: Int] = [:]
  private var pairs: [Double] = []
  private var promises: [Double] = []
  private var foundAsPromised = 0

  mutating func add(_ verdict: Verdict) { counts[verdict, default: 0] += 1 }

  mutating func add(_ decision: Decision) {
    add(decision.verdict)
    pairs.append(Double(decision.pairs))
    guard let promise = decision.promise else { return }
    promises.append(Double(promise))
    if decision.verdict == .fail, decision.pairs <= promise { foundAsPromised += 1 }
  }

  /// How many pairs half of them needed at most, and nineteen of twenty.
  private var pairsTold: String {
    guard let half = Statistics.quantile(pairs, 0.5), let most = Statistics.quantile(pairs, 0.95)
    else { return "–" }
    return "\(Int(half.rounded())), \(Int(most.rounded()))"
  }

  /// How many were found within the pairs that the doctor promised for it, and the median of the promises.
  private var promisesTold: String {
    guard let half = Statistics.quantile(promises, 0.5) else { return "–" }
    return "\(Self.told(foundAsPromised, of: promises.count)); \(Int(half.rounded()))"
  }

  var total: Int { counts.values.reduce(0, +) }

  /// A row of the table: fail, inconclusive and pass, each with its exact 95 % interval.
  func row(_ name: String) -> String {
    let cells = [Verdict.fail, .inconclusive, .pass].map { Self.told(counts[$0] ?? 0, of: total) }
    let row = [name, "\(total)"] + cells + [pairsTold, promisesTold]
    return "| \(row.joined(separator: " | ")) |"
  }

  private static func told(_ successes: Int, of total: Int) -> String {
    let share = Proportion(successes, of: total)
    let ends = [share.lower, share.upper].map(percent).joined(separator: "–")
    return "\(successes) (\(percent(share.share)); \(ends) %)"
  }

  static let header = """
    | what | decided | fail | inconclusive | pass | pairs: median, 95th | found in the pairs promised; their median |
    | --- | --- | --- | --- | --- | --- | --- |
    """

  private static func percent(_ share: Double) -> String {
    String(format: "%.2f", share * 100)
  }
}
