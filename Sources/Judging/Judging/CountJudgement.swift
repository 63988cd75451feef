package import Measurement

/// The verdict on a count that does not depend on scheduling: equal work, equal count.
package struct CountJudgement: Codable, Sendable, Equatable {
  package enum Outcome: String, Codable, Sendable {
    case same
    case increase
    case decrease
    /// Trials of one side differ, or the repeats of one trial do.
    case disagreesWithItself = "disagrees with itself"
    case tooFewTrials = "too few trials"
  }

  /// The counts of a side.
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
  package init(
    name: String, baseline: [Double], candidate: [Double],
    better: Metric.Direction = .lower, unsteady: Set<Side> = []
  ) {
    self.name = name
    self.better = better
    let (before, after) = (Range(baseline), Range(candidate))
    (self.baseline, self.candidate) = (before, after)
    let sides: [(Side, Range?)] = [(.baseline, before), (.candidate, after)]
    let torn = sides.first { unsteady.contains($0.0) || $0.1?.smallest != $0.1?.largest }
    let short = sides.first { ($0.1?.trials ?? 0) < Self.trialsNeeded }
    doubtfulSide = torn?.0 ?? short?.0
    outcome =
      torn != nil
      ? .disagreesWithItself
      : short != nil
        ? .tooFewTrials : Self.outcome(before?.smallest ?? 0, after?.smallest ?? 0)
  }

  private static func outcome(_ before: Double, _ after: Double) -> Outcome {
    before == after ? .same : after > before ? .increase : .decrease
  }

  package var verdict: Verdict {
    switch outcome {
    case .same: .pass
    case .increase: better == .higher ? .pass : .fail
    case .decrease: better == .higher ? .fail : .pass
    case .disagreesWithItself, .tooFewTrials: .inconclusive
    }
  }

  /// Trials a side that would settle the verdict; nil if more trials would not.
  package var neededTrials: Int? {
    outcome == .tooFewTrials ? Self.trialsNeeded : nil
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
