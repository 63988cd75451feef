package import Measurement

// From matched reports to one outcome:
//
//   Matching ─┬─▶ problems: of another scenario, seed or machine                      5
//             ├─▶ gated times and inexact counts, one         ┐
//             │   family, Holm at α = 0.01                    │
//             ├─▶ exact counts, waivers                       ├─▶ fail 2, inconclusive 4
//             ├─▶ limits and expectations of the policy       ┘
//             ├─▶ cells of the candidate that are not ok                              3
//             ├─▶ too many suspects                                                   4
//             ├─▶ SQLite alone became slower or faster: times are inconclusive        4
//             ├─▶ parts of the baseline that the candidate lacks                      4
//             └─▶ neither a time nor a count on both sides                            6
//
// The report names everything else: unmatched cells, advising figures, unused waivers.

package struct Gate: Sendable {
  /// Gated if measured. A policy adds to them.
  package static let defaultMetrics: [Metric] =
    [.mainBlocked] + Metrics.exactCounts + [.mainInstructions]

  /// Stricter than a duet: no fresh cells can confirm a flagged figure.
  package static let alpha = 0.01

  package enum Times: String, Codable, Sendable, CaseIterable {
    case gate
    /// They are shown. Exact counts decide, on any machine.
    case advise
  }

  package var policy: Policy
  package var times: Times
  /// For a baseline of another or an unknown machine: counts gate and times advise.
  package var allowsOtherMachine: Bool
  /// Whether both sides have the same compiler, architecture and libraries. Otherwise instructions
  /// advise.
  package var isSameToolchain = true
  /// Decides which waivers hold.
  package var today: CalendarDay

  package init(
    policy: Policy = Policy(), times: Times = .gate, allowsOtherMachine: Bool = false,
    today: CalendarDay
  ) {
    self.policy = policy.narrowed
    self.times = times
    self.allowsOtherMachine = allowsOtherMachine
    self.today = today
  }

  /// In the order of the columns.
  package var metrics: [Metric] {
    Metrics.all.filter { Self.defaultMetrics.contains($0) || policy.gated.contains($0) }
  }

  /// - Precondition: both sides keep `metrics` and the policy's metrics, and hold no topology that
  ///   the policy leaves out.
  package func judge(_ matching: Matching) -> GateResult {
    let diagnoses = MatchingDiagnoses(matching: matching, grade: .discard)
    return GateResult(
      pairing: matching.pairing,
      problems: MatchingDiagnoses.problems(
        matching,
        allowsOtherMachine: allowsOtherMachine || times == .advise
          || matching.matches.allSatisfy(\.key.isCounted)),
      figures: figures(matching),
      limits: policy.limits.flatMap { $0.results(in: matching.candidate) },
      expectations: ExpectationResult.judged(
        policy.expectations.flatMap { $0.results(in: matching.candidate) }),
      sharedCells: diagnoses.sharedCells, missing: missing(matching),
      badCells: badCells(matching.candidate),
      suspects: diagnoses.suspects,
      times: times, policy: policy, today: today)
  }

  /// Unless another version of the scenario is the reason.
  private func missing(_ matching: Matching) -> [Matching.Unmatched] {
    matching.baselineOnly.filter { unmatched in
      let isMeasured = matching.baseline.group(unmatched.key).map { $0.okCells > 0 } ?? false
      return isMeasured && !unmatched.isOtherDigest
    }
  }

  private func badCells(_ side: SideCells) -> [GateResult.BadCells] {
    side.groups.flatMap { group in
      group.failures.filter { $0.status != .suspect }
        .map { GateResult.BadCells(key: group.key, failure: $0) }
    }
  }

  private func figures(_ matching: Matching) -> [GateFigure] {
    let metrics = metrics.filter { policy.gated.contains($0) || !isNew($0, in: matching) }
    let all = matching.matches.flatMap { match in
      metrics.map { metric in
        GateEntry(match, metric, inexact: policy.inexact(metric, of: match.key), in: matching)
      }
    }
    let measured = Set(all.filter(\.isMeasured).map(\.metric))
    // A requested metric that was measured nowhere must not pass.
    let entries = all.filter {
      $0.isMeasured || policy.gated.contains($0.metric) && !measured.contains($0.metric)
    }
    let varying = entries.filter { !$0.isExact }
    let judge = Judge(pairing: matching.pairing, alpha: Self.alpha)
    var judgements = judge.times(varying.map { $0.sample(policy.rule(for: $0.metric)) })[...]
    let diagnoses = MatchingDiagnoses(matching: matching, grade: .discard)
    let speed = speed(matching)
    return entries.map { entry in
      entry.isExact
        ? count(entry)
        : GateFigure(
          key: entry.match.key, metric: entry.metric,
          judgement: .time(judgements.removeFirst()),
          baseline: Estimate(entry.plain.baseline), candidate: Estimate(entry.plain.candidate),
          isGated: times == .gate && matching.machines == .same,
          yardstick: entry.yardstick, inexact: entry.inexact,
          otherSpeed: diagnoses.otherSpeed(
            speed, beyond: policy.rule(for: entry.metric).margin))
    }
  }

  /// Whether the baseline's version lacks the metric. Like a topology that only the candidate has,
  /// it needs a baseline first.
  private func isNew(_ metric: Metric, in matching: Matching) -> Bool {
    Metric.added.contains(metric)
      && matching.baseline.groups.allSatisfy { $0.values(metric).isEmpty }
  }

  /// How much longer SQLite alone took. Nil unless it makes times doubtful: on one machine, at two
  /// times.
  private func speed(_ matching: Matching) -> Double? {
    guard times == .gate, matching.pairing == .unpaired, matching.machines == .same else {
      return nil
    }
    return matching.rawSQLiteRatio
  }

  private func count(_ entry: GateEntry) -> GateFigure {
    let judgement = entry.count()
    let waiver = policy.waivers.first {
      judgement.verdict == .fail && today <= $0.until
        && $0.covers(entry.match.key, judgement, metric: entry.metric)
    }
    return GateFigure(
      key: entry.match.key, metric: entry.metric, judgement: .count(judgement),
      baseline: Estimate(entry.baseline), candidate: Estimate(entry.candidate),
      isGated: isGated(entry),
      waiver: waiver)
  }
}

extension Gate {
  /// Counts of a topology that depends on timing advise. So do instructions of another toolchain.
  private func isGated(_ entry: GateEntry) -> Bool {
    guard entry.match.key.isCounted else { return true }
    return entry.match.unsteadySides(entry.metric).isEmpty
      && (isSameToolchain || !entry.metric.isInstructions)
  }
}

private struct GateEntry {
  let match: Matching.Match
  let metric: Metric
  let baseline: [Double]
  let candidate: [Double]
  /// In the metric's unit.
  let plain: (baseline: [Double], candidate: [Double])
  /// The values are multiples of this metric. Nil for plain values.
  let yardstick: Metric?
  /// Whether equal work gives an equal count here.
  let isExact: Bool
  private let declared: InexactCount?

  init(
    _ match: Matching.Match, _ metric: Metric, inexact: InexactCount?,
    in matching: Matching
  ) {
    self.match = match
    self.metric = metric
    declared = inexact
    isExact = metric.isCount && inexact == nil
    // Both cells of a pair ran on one machine, so their times need no yardstick.
    let arePairs = matching.pairing == .paired && !isExact
    let multiples =
      arePairs || matching.machines == .same
      ? nil : Normalisation.steadier(match, metric, in: matching)
    yardstick = multiples?.yardstick
    if arePairs {
      let pairs = match.pairs(metric)
      plain = (pairs.map(\.baseline), pairs.map(\.candidate))
    } else {
      plain = (match.baseline.values(metric), match.candidate.values(metric))
    }
    baseline = multiples?.baseline ?? plain.baseline
    candidate = multiples?.candidate ?? plain.candidate
  }

  var isMeasured: Bool { !baseline.isEmpty || !candidate.isEmpty }

  /// Multiples have no unit, so they have no absolute floor.
  func sample(_ rule: JudgingRule) -> TimeSample {
    var rule = rule
    if yardstick != nil { rule.absoluteFloor = 0 }
    return TimeSample(
      name: "\(match.key.topology): \(metric.name)", baseline: baseline, candidate: candidate,
      rule: rule)
  }

  func count() -> CountJudgement {
    CountJudgement(
      name: metric.name, baseline: baseline, candidate: candidate, better: metric.better,
      unsteady: match.unsteadySides(metric), fewest: match.key.trialsNeeded,
      slack: metric.slack)
  }

  var inexact: GateFigure.Inexact? {
    declared.map { declared in
      let differs = [baseline, candidate].contains { Set($0).count > 1 }
      return GateFigure.Inexact(
        declared: declared, differs: differs || !match.unsteadySides(metric).isEmpty)
    }
  }
}
