import Judging
import Measurement

/// One side of a judged figure, as a member of a comparison's, a gate's or a duet's JSON form.
struct JudgedSideJSON: Encodable {
  let median: Double
  let trials: Int
  /// The interval's ends; of a count, the smallest and the largest that was seen.
  let lower: Double?
  let upper: Double?

  init(_ estimate: Estimate) {
    (median, trials) = (estimate.median, estimate.trials)
    (lower, upper) = (estimate.interval?.lower, estimate.interval?.upper)
  }

  init(_ range: CountJudgement.Range) {
    (median, trials) = ((range.smallest + range.largest) / 2, range.trials)
    (lower, upper) = (range.smallest, range.largest)
  }
}
