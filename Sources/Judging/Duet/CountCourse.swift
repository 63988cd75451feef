package import Measurement

/// One pair of each target, and another if it shows an increase.
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
