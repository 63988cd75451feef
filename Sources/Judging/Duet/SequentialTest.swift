package import Measurement

// The decisions of a duet, without processes or clocks.
//
//   spread         the first pairs of every target
//     │            n₁ and n₂ depend on their scatter, not on which build is faster
//   first          up to n₁ pairs                          look 1, α = 0.01 ── passed or flagged ─┐
//     │            n₂ may grow, again by the scatter alone                                        │
//   second         up to n₂ pairs of what is open          look 2, α = 0.04 ── or inconclusive ───┤
//     │                                                                                           │
//   confirmation   1.5 n₂ fresh pairs of what was flagged  α = 0.05         ── failed, or not so ─┘
//
// A look is an interim judgement. It corrects all times together, also those decided before: the
// data chose which figures stay open.

package struct SequentialTest: PairCourse, Sendable {
  package let targets: [CellKey]
  package let rule: DuetRule
  /// The size of each target. Nil if none of its first pairs was sound.
  package private(set) var sizes: [DuetSize?] = []
  /// In the order of the targets, times first.
  package private(set) var figures: [DuetFigure] = []
  package private(set) var isOver = false
  /// Whole pairs of each target, sound or not.
  package private(set) var measured: [[DuetPair]]

  private var phase: DuetPhase?
  /// Sound pairs of each target.
  private var pairs: [[DuetPair]]
  private var fresh: [[DuetPair]]

  /// - Precondition: there is a target, and `mostPairs` is at least `fewestPairs`.
  package init(targets: [CellKey], rule: DuetRule = DuetRule()) {
    precondition(!targets.isEmpty, "a duet over nothing")
    precondition(rule.mostPairs >= rule.fewestPairs(targets: targets.count), "too few pairs")
    self.targets = targets
    self.rule = rule
    pairs = targets.map { _ in [] }
    fresh = pairs
    measured = pairs
  }

  package var cells: [CellResult] { measured.joined().flatMap { [$0.baseline, $0.candidate] } }

  package mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {
    measured[target].append(pair)
    guard pair.isOK else { return }
    if phase == .confirmation { fresh[target].append(pair) } else { pairs[target].append(pair) }
  }

  package mutating func next() -> (phase: DuetPhase, pairs: [Int])? {
    let wanted: [Int]
    switch phase {
    case nil:
      wanted = targets.map { _ in rule.firstPairs }
      phase = .spread
    case .spread:
      wanted = planFirstLook()
      phase = .first
    case .first:
      wanted = lookForTheFirstTime()
      phase = .second
    case .second:
      wanted = lookForTheSecondTime()
      phase = .confirmation
    case .confirmation, .count:
      confirm()
      isOver = true
      return nil
    }
    guard let phase, wanted.contains(where: { $0 > 0 }) else { return next() }
    return (phase, wanted)
  }
}

extension SequentialTest {
  private mutating func planFirstLook() -> [Int] {
    sizes = targets.indices.map { pairs[$0].isEmpty ? nil : size($0) }
    return targets.indices.map { target in
      sizes[target].map { max(0, $0.first - pairs[target].count) } ?? 0
    }
  }

  private mutating func lookForTheFirstTime() -> [Int] {
    figures = judge(with: TwoLooks.judge(look: 0), look: .first, pairs)
    let open = openTargets
    for target in open {
      if let later = size(target) { sizes[target]?.grow(to: later) }
    }
    return targets.indices.map { target in
      guard open.contains(target), let size = sizes[target] else { return 0 }
      return max(0, size.last - pairs[target].count)
    }
  }

  private mutating func lookForTheSecondTime() -> [Int] {
    let again = judge(with: TwoLooks.judge(look: 1), look: .second, pairs)
    for (index, figure) in zip(figures.indices, again)
    where figures[index].judgement.verdict == .inconclusive { figures[index] = figure }
    return targets.indices.map(confirmingPairs)
  }

  /// The fresh pairs of a flagged target. A count needs fewer than a time.
  ///
  /// If first pairs scatter little by chance, a target is flagged early, with too few pairs. So
  /// the number of pairs is planned again, from the scatter of all pairs, and raised by half
  /// (Documentation/Project/Decisions.md).
  private func confirmingPairs(_ target: Int) -> Int {
    let flagged = figures.filter { $0.target == targets[target] && $0.isFlagged }
    guard let size = sizes[target], !flagged.isEmpty else { return 0 }
    let isTime = flagged.contains { rule.metrics.contains($0.metric) }
    guard isTime else { return CountJudgement.trialsNeeded }
    let planned = max(size.last, self.size(target)?.last ?? 0)
    return planned + planned / 2
  }

  private mutating func confirm() {
    let flagged = figures.indices.filter { figures[$0].isFlagged }
    let again = judge(with: TwoLooks.confirmation, look: .confirmation, fresh, only: flagged)
    for (index, figure) in zip(flagged, again) { figures[index].confirmation = figure.judgement }
  }

  private var openTargets: [Int] {
    targets.indices.filter { target in
      figures.contains { $0.target == targets[target] && $0.judgement.verdict == .inconclusive }
    }
  }

  private func size(_ target: Int) -> DuetSize? {
    let samples = rule.metrics.map { sample($0, of: target, pairs) }
    let looks = TwoLooks(
      samples: samples, family: rule.family(targets: targets.count), power: rule.power,
      limit: rule.mostPairs)
    return looks.map {
      DuetSize($0, measured: rule.firstPairs, spread: samples.compactMap(\.pairSpread).max())
    }
  }

  package func soundPairs(of target: Int) -> Int { pairs[target].count }

  /// Sound pairs that confirm its flagged figures.
  package func freshPairs(of target: Int) -> Int { fresh[target].count }
}

extension SequentialTest {
  /// - Parameter only: indexes of the figures to judge. Nil for all.
  private func judge(
    with judge: Judge, look: DuetPhase, _ pairs: [[DuetPair]], only: [Int]? = nil
  ) -> [DuetFigure] {
    var places = targets.indices.flatMap { target in
      (rule.metrics + counts(of: target)).map { (target: target, metric: $0) }
    }
    if let only { places = only.map { places[$0] } }
    let samples = places.filter { rule.metrics.contains($0.metric) }
      .map { sample($0.metric, of: $0.target, pairs) }
    var times = Array(zip(samples, judge.times(samples)))[...]
    return places.map { target, metric in
      let time = rule.metrics.contains(metric) ? times.removeFirst() : nil
      return DuetFigure(
        target: targets[target], metric: metric,
        judgement: time.map { .time($0.1) } ?? .count(count(metric, of: target, pairs)),
        look: look,
        detectable: time.flatMap { judge.detectable($0.0, family: samples.count) })
    }
  }

  /// Without counts that neither build records. The first pair decides, so that figures keep their
  /// indexes.
  private func counts(of target: Int) -> [Metric] {
    guard let pair = self.pairs[target].first else { return rule.counts }
    return rule.counts.filter { count in
      Side.allCases.contains { pair[$0].metrics[count] != nil }
    }
  }

  private func sample(_ metric: Metric, of target: Int, _ pairs: [[DuetPair]]) -> TimeSample {
    let values = pairs[target].compactMap { $0.values(metric) }
    return TimeSample(
      name: "\(targets[target].topology) \(metric.name)", baseline: values.map(\.baseline),
      candidate: values.map(\.candidate), rule: rule.rule(for: metric),
      areCounts: metric.isCount)
  }

  private func count(_ metric: Metric, of target: Int, _ pairs: [[DuetPair]]) -> CountJudgement {
    let values = pairs[target].compactMap { $0.values(metric) }
    let unsteady = Side.allCases.filter { side in
      pairs[target].contains { $0[side].isUnsteady(metric) }
    }
    return CountJudgement(
      name: metric.name, baseline: values.map(\.baseline), candidate: values.map(\.candidate),
      better: metric.better, unsteady: Set(unsteady))
  }
}

extension TimeSample {
  /// Spread as a share of the baseline. Nil if the baseline is zero, or with too few pairs.
  fileprivate var pairSpread: Double? {
    let scale = JudgingScale(self)
    guard let spread = scale.spread(self, .paired) else { return nil }
    return scale.kind == .ratio ? spread : shareOfBaseline(spread)
  }

  fileprivate func shareOfBaseline(_ difference: Double) -> Double? {
    guard let base = Statistics.median(baseline), base != 0 else { return nil }
    return difference / abs(base)
  }
}

extension Judge {
  /// The smallest worsening, as a share of the baseline, that this judge flags nine times in ten in
  /// a sample of this spread.
  fileprivate func detectable(_ sample: TimeSample, family: Int) -> Double? {
    let scale = JudgingScale(sample)
    guard let spread = scale.spread(sample, .paired) else { return nil }
    let power = Power(spread: spread, pairing: .paired, alpha: alpha / Double(max(1, family)))
    guard let shift = power.detectable(trials: sample.baseline.count) else { return nil }
    let worse = max(shift, scale.floor)
    return scale.kind == .ratio
      ? abs(scale.change(worse) - 1) : sample.shareOfBaseline(worse)
  }
}
