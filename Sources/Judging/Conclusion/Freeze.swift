package import Measurement

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

  /// - Parameter gap: in ms. A median of two decimals may differ from a limit by less than a
  ///   nanosecond.
  package func isPassed(by gap: Double) -> Bool { gap - milliseconds > 1e-6 }

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
  /// Median over trials, in ms. Nil if the instrument caused the longest gap of each trial.
  package let gap: Double?
  /// Of all trials, in ms.
  package let longest: Double?
  /// Trials whose longest gap is the topology's own, or stays within a frame.
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

  /// Nil if no trial tells whether it freezes.
  ///
  /// - Parameter cells: the topology's ok cells. In the window, a gap of the instrument within a
  ///   frame says that the topology's own are shorter. A longer one hides them.
  package init?(_ topology: String, _ cells: [CellResult], _ question: Question) {
    let gaps = cells.values(question.gap)
    let isChange = question.phase == .change
    let all = gaps.count + cells.count { isChange && $0.hasInstrumentGap && !$0.hidesGaps }
    guard all > 0 else { return nil }
    func trials(beyond limit: FreezeLimit) -> Int { gaps.count(where: limit.isPassed) }
    let median = Statistics.median(gaps)
    self.topology = topology
    gap = median
    longest = gaps.max()
    self.trials = all
    let beyond = TrialsBeyond(
      frame: trials(beyond: .frame), noticed: trials(beyond: .noticed), hang: trials(beyond: .hang))
    trialsBeyond = beyond
    usual = FreezeLimit.allCases.last {
      $0.isPassed(by: median ?? 0) || beyond[$0] * 2 >= all
    }
    worst = FreezeLimit.allCases.last { beyond[$0] > 0 }
  }

  /// Whether a longer freeze occurs in fewer than half of the trials.
  package var isSometimesWorse: Bool { worst != usual }
}

extension CellResult {
  /// Whether the instrument caused a gap over a frame, which hides shorter ones.
  var hidesGaps: Bool {
    hasInstrumentGap && FreezeLimit.frame.isPassed(by: metrics[Question.change.gap] ?? 0)
  }
}
