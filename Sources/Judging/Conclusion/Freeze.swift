import Measurement

/// The limits of a longest gap.
package enum FreezeLimit: String, Codable, Sendable, CaseIterable, Comparable {
  /// A frame at 60 Hz: what moves on the screen stops.
  case frame
  /// A user notices that a tap waits.
  case noticed
  /// A user believes that the app has stopped.
  case hang

  /// A longer gap passes the limit.
  package var milliseconds: Double {
    switch self {
    case .frame: 16.7
    case .noticed: 100
    case .hang: 250
    }
  }

  package static func < (left: FreezeLimit, right: FreezeLimit) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// The longest gaps of one topology against the limits.
///
///     limit    trials' gaps                        usual      worst
///     16.7     ·  ·  ·  ·  ·  ·                    –          –
///     16.7     ·  ·  ·  ·  ·     │ ·               –          frame    in 1 of 6 trials
///     16.7     ·  ·  ·  │  ·  ·  ·                 frame      frame    in half of the trials
package struct Freeze: Codable, Sendable, Equatable {
  package let topology: String
  /// Median over trials, in ms.
  package let gap: Double
  /// Of all trials, in ms.
  package let longest: Double
  /// Trials with a gap of the topology's own.
  package let trials: Int
  /// Trials whose gap passes a frame, a noticed wait and a hang.
  package let trialsBeyond: TrialsBeyond
  /// The longest limit that the median passes, or that half of the trials pass.
  package let usual: FreezeLimit?
  /// The longest limit that a trial passes.
  package let worst: FreezeLimit?

  package struct TrialsBeyond: Codable, Sendable, Equatable {
    package let frame: Int
    package let noticed: Int
    package let hang: Int

    package subscript(limit: FreezeLimit) -> Int {
      switch limit {
      case .frame: frame
      case .noticed: noticed
      case .hang: hang
      }
    }
  }

  /// Nil without a gap.
  ///
  /// - Parameter gaps: the longest of each trial, in ms.
  package init?(_ topology: String, gaps: [Double]) {
    guard let median = Statistics.median(gaps), let longest = gaps.max() else { return nil }
    func trials(beyond limit: FreezeLimit) -> Int { gaps.count { $0 > limit.milliseconds } }
    self.topology = topology
    gap = median
    self.longest = longest
    self.trials = gaps.count
    let beyond = TrialsBeyond(
      frame: trials(beyond: .frame), noticed: trials(beyond: .noticed), hang: trials(beyond: .hang))
    trialsBeyond = beyond
    usual = FreezeLimit.allCases.last {
      median > $0.milliseconds || beyond[$0] * 2 >= gaps.count
    }
    worst = FreezeLimit.allCases.last { beyond[$0] > 0 }
  }

  /// Whether a longer freeze occurs in fewer than half of the trials.
  package var isSometimesWorse: Bool { worst != usual }
}
