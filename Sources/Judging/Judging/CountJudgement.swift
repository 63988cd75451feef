package import Measurement

/// The verdict on a count that does not depend on scheduling: equal work, equal count. Instructions
/// of equal work differ a little, so some slack is allowed.
package struct CountJudgement: Codable, Sendable, Equatable {
  package enum Outcome: String, Codable, Sendable {
    case same
    case increase
    case decrease
    /// Trials of one side differ, or repeats of one trial.
    case disagreesWithItself = "disagrees with itself"
    case tooFewTrials = "too few trials"
  }

  package struct Range: Codable, Sendable, Equatable {
    package let smallest: Double
    package let largest: Double
    package let trials: Int

    init?(_ values: [Double]) {
      guard let smallest = values.min(), let largest = values.max() else { return nil }
      self.smallest = smallest
      self.largest = largest
      trials = values.count
    }
  }

  /// Fewer trials could agree by chance.
  package static let trialsNeeded = 6

  package let name: String
  package let outcome: Outcome
  /// The side that disagrees with itself, or has too few trials.
  package let doubtfulSide: Side?
  /// Nil if nothing was counted.
  package let baseline: Range?
  package let candidate: Range?
  package let better: Metric.Direction

  /// - Parameters:
  ///   - baseline: one for each trial, all of the same work.
  ///   - unsteady: sides whose repeats differ within a trial.
  ///   - fewest: trials of a side. One is enough for counted cells.
  ///   - slack: how far counts of equal work may differ, in the metric's unit.
  package init(
    name: String, baseline: [Double], candidate: [Double],
    better: Metric.Direction = .lower, unsteady: Set<Side> = [],
    fewest: Int = CountJudgement.trialsNeeded,
    slack: (Double) -> Double = { _ in 0 }
  ) {
    self.name = name
    self.better = better
    let (before, after) = (Range(baseline), Range(candidate))
    (self.baseline, self.candidate) = (before, after)
    let sides = [(Side.baseline, before), (.candidate, after)]
    let torn = sides.first { side, range in
      unsteady.contains(side)
        || range.map { $0.largest > $0.smallest + slack($0.smallest) } ?? false
    }
    let short = sides.first { ($0.1?.trials ?? 0) < fewest }
    doubtfulSide = torn?.0 ?? short?.0
    outcome =
      torn != nil
      ? .disagreesWithItself
      : short != nil
        ? .tooFewTrials : Self.outcome(before, after, slack)
  }

  private static func outcome(
    _ before: Range?, _ after: Range?, _ slack: (Double) -> Double
  ) -> Outcome {
    guard let before, let after else { return .same }
    if after.smallest > before.largest + slack(before.largest) { return .increase }
    return after.largest < before.smallest - slack(before.smallest) ? .decrease : .same
  }

  package var verdict: Verdict {
    switch direction {
    case .worse: .fail
    case .inconclusive: .inconclusive
    case .same, .better, .differs: .pass
    }
  }

  package var unmeasured: Side? {
    baseline == nil ? .baseline : candidate == nil ? .candidate : nil
  }

  /// Trials a side that would settle the verdict. Nil if more would not.
  package var neededTrials: Int? {
    outcome == .tooFewTrials && unmeasured == nil ? Self.trialsNeeded : nil
  }

  package var direction: Direction {
    switch outcome {
    case .same: .same
    case .increase: better == .higher ? .better : .worse
    case .decrease: better == .higher ? .worse : .better
    case .disagreesWithItself, .tooFewTrials: .inconclusive
    }
  }
}
