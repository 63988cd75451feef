import Judging
import Measurement

extension Figures {
  /// `12.0–13.0`
  static func interval(_ interval: MedianInterval) -> String {
    "\(short(interval.lower))–\(short(interval.upper))"
  }

  /// `3,644`, or `3,644–3,645`
  static func range(_ range: CountJudgement.Range) -> String {
    let ends = [range.smallest, range.largest].map(count)
    return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "–")
  }
}
