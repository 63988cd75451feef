import Foundation
import Measurement

/// How often which verdict came out.
struct Rates {
  private var counts: [Verdict: Int] = [:]

  mutating func add(_ verdict: Verdict) { counts[verdict, default: 0] += 1 }

  var total: Int { counts.values.reduce(0, +) }

  /// A row of the table: fail, inconclusive and pass, each with its exact 95 % interval.
  func row(_ name: String) -> String {
    let cells = [Verdict.fail, .inconclusive, .pass].map { verdict in
      let share = Proportion(counts[verdict] ?? 0, of: total)
      let ends = [share.lower, share.upper].map(Self.percent).joined(separator: "–")
      return "\(share.successes) (\(Self.percent(share.share)); \(ends) %)"
    }
    return "| \(([name, "\(total)"] + cells).joined(separator: " | ")) |"
  }

  static let header = """
    | what | decided | fail | inconclusive | pass |
    | --- | --- | --- | --- | --- |
    """

  private static func percent(_ share: Double) -> String {
    String(format: "%.2f", share * 100)
  }
}
