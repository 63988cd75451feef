import Judging
import Measurement

extension Figures {
  /// `12.3 ms`
  package static func milliseconds(_ value: Double) -> String { "\(short(value)) ms" }

  /// A longest gap in ms. `16.72` passes a frame, `16.7` does not.
  package static func gap(_ value: Double) -> String {
    distinct(value, from: FreezeLimit.allCases.map(\.milliseconds))
  }

  /// `8 trials`, `4 to 8 trials`
  static func counted(_ counts: [Int], _ noun: String) -> String {
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    return (least == most ? "" : "\(least) to ") + counted(most, noun)
  }

  /// `12.0–13.0`
  static func interval(_ interval: MedianInterval) -> String {
    "\(short(interval.lower))–\(short(interval.upper))"
  }

  /// `3,644`, or `3,644–3,645`
  static func range(_ range: CountJudgement.Range?) -> String {
    guard let range else { return Table.missing }
    let ends = [range.smallest, range.largest].map(count)
    return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "–")
  }

  static func number(_ value: Double, _ metric: Metric) -> String {
    metric.kind == .count ? count(value) : metric.isGap ? gap(value) : short(value)
  }

  static func median(_ estimate: Estimate?, _ metric: Metric) -> String {
    estimate.map { number($0.median, metric) } ?? Table.missing
  }
}
