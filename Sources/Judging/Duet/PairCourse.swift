package import Measurement

package protocol PairCourse {
  /// The pairs to measure next: a number for each target. Nil at the end.
  mutating func next() -> (phase: DuetPhase, pairs: [Int])?

  mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase)
}

package struct DuetPair: Sendable {
  package let baseline: CellResult
  package let candidate: CellResult

  package init(baseline: CellResult, candidate: CellResult) {
    self.baseline = baseline
    self.candidate = candidate
  }

  package subscript(side: Side) -> CellResult { side == .baseline ? baseline : candidate }

  package var isOK: Bool { baseline.status == .ok && candidate.status == .ok }

  package func values(_ metric: Metric) -> (baseline: Double, candidate: Double)? {
    guard let left = baseline.value(metric), let right = candidate.value(metric) else {
      return nil
    }
    return (left, right)
  }
}

/// The CSV file contains the raw values.
package enum DuetPhase: String, Codable, Sendable, CaseIterable {
  /// The first pairs. Their spread decides how many follow.
  case spread
  /// Up to the first look.
  case first
  /// Up to the second look.
  case second
  /// Fresh pairs for flagged figures.
  case confirmation
  /// Pairs of counted cells, without times.
  case count
}

package struct DuetMark: Codable, Sendable, Hashable {
  /// From 1 for each target. Both cells of a pair have the same number.
  package let pair: Int
  package let side: Side
  package let phase: DuetPhase

  package init(pair: Int, side: Side, phase: DuetPhase) {
    self.pair = pair
    self.side = side
    self.phase = phase
  }
}

extension CellResult {
  /// The columns `pair`, `side` and `phase`.
  package var duet: DuetMark? {
    get {
      guard let pair = metrics[label: .pair].flatMap({ Int($0) }),
        let side = metrics[label: .side].flatMap(Side.init),
        let phase = metrics[label: .phase].flatMap(DuetPhase.init)
      else { return nil }
      return DuetMark(pair: pair, side: side, phase: phase)
    }
    set {
      metrics[label: .pair] = newValue.map { String($0.pair) }
      metrics[label: .side] = newValue?.side.rawValue
      metrics[label: .phase] = newValue?.phase.rawValue
    }
  }
}

/// Counts one pair of each target, and a second one if the first shows an increase.
package struct CountCourse: PairCourse {
  private var targets: [[DuetPair]]
  private var steps = 0
  package private(set) var isOver = false

  package init(targets: Int) { self.targets = Array(repeating: [], count: targets) }

  package func cells(of side: Side) -> [CellResult] { targets.joined().map { $0[side] } }

  package mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {
    targets[target].append(pair)
  }

  package mutating func next() -> (phase: DuetPhase, pairs: [Int])? {
    steps += 1
    let wanted = targets.map { steps == 1 || steps == 2 && Self.hasIncrease($0) ? 1 : 0 }
    guard steps <= 2, wanted.contains(1) else {
      isOver = true
      return nil
    }
    return (.count, wanted)
  }

  private static func hasIncrease(_ pairs: [DuetPair]) -> Bool {
    pairs.contains { pair in
      (Metrics.exactCounts + Metric.instructions).contains { metric in
        guard pair.isOK, !pair.baseline.isUnsteady(metric),
          let values = pair.values(metric)
        else { return false }
        return values.candidate > values.baseline + metric.slack(of: values.baseline)
      }
    }
  }
}
