package import Measurement

// From matched reports to one outcome:
//
//   Matching ─┬─▶ problems: of another scenario or seed, or machine if times gate     5
//             ├─▶ gated times and inexact counts, one         ┐
//             │   family, Holm at α = 0.01                    │
//             ├─▶ exact counts, waivers                       ├─▶ fail 2, inconclusive 4
//             ├─▶ limits and expectations of the policy       ┘
//             ├─▶ cells of the candidate that are not ok                              3
//             ├─▶ too many suspects                                                   4
//             ├─▶ SQLite alone became slower or faster: times are inconclusive        4
//             ├─▶ parts of the baseline that the candidate lacks                      4
//             └─▶ no figure that decides on both sides, no broken limit               6
//
// The report names everything else: unmatched cells, advising figures, unused waivers.

package struct Gate: Sendable {
  /// Gated if measured. A policy adds to them.
  package static let defaultMetrics: [Metric] =
    [.mainBlocked] + Metrics.exactCounts + [.mainInstructions] + Metric.phaseInstructions

  /// Stricter than a duet: no fresh cells can confirm a flagged figure.
  package static let alpha = 0.01

  package enum Times: String, Codable, Sendable, CaseIterable {
    /// For a machine that is known to be steady: sides measured minutes apart fail falsely in 23 to
    /// 32 % of cases elsewhere.
    case gate
    /// Times are only shown. Exact counts decide, on any machine.
    case advise
  }

  package var policy: Policy
  package var times: Times
  /// If times gate, for a baseline of another or an unknown machine: counts gate and times advise.
  package var allowsOtherMachine: Bool
  /// Whether both sides have the same compiler, architecture and libraries. Otherwise instructions
  /// advise.
  package var isSameToolchain = true
  /// Decides which waivers hold.
  package var today: CalendarDay

  package init(
    policy: Policy = Policy(), times: Times = .advise, allowsOtherMachine: Bool = false,
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
    GateResult(matching, by: self)
  }

  func figures(_ matching: Matching) -> [GateFigure] {
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
    var times = judge.times(varying.map { $0.sample(policy.rule(for: $0.metric)) })[...]
    let speed = speed(matching)
    return entries.map { entry in
      let judgement =
        entry.isExact
        ? Judgement.count(entry.judged.count(named: entry.metric.name)) : .time(times.removeFirst())
      return figure(entry, judgement, speed, in: matching)
    }
  }

  private func figure(
    _ entry: GateEntry, _ judgement: Judgement, _ speed: Double?, in matching: Matching
  ) -> GateFigure {
    let waiver = waiver(for: entry, judgement)
    let otherSpeed =
      entry.isExact
      ? nil
      : MatchingDiagnoses(matching: matching, grade: .discard)
        .otherSpeed(speed, beyond: policy.rule(for: entry.metric).margin)
    return GateFigure(
      key: entry.plain.match.key, metric: entry.metric, judgement: judgement,
      verdict: waiver != nil ? .pass : otherSpeed != nil ? .inconclusive : judgement.verdict,
      baseline: Estimate(entry.plain.match.baseline.values(entry.metric), of: entry.metric),
      candidate: Estimate(entry.plain.match.candidate.values(entry.metric), of: entry.metric),
      isGated: entry.isExact
        ? isGated(entry.plain) : times == .gate && matching.machines == .same,
      waiver: waiver, yardstick: entry.yardstick, inexact: entry.inexact, otherSpeed: otherSpeed)
  }

  /// Whether the version that measured the baseline lacks the metric. Like a topology that only the
  /// candidate has, the metric is not judged.
  private func isNew(_ metric: Metric, in matching: Matching) -> Bool {
    Metric.added.contains(metric)
      && matching.baseline.groups.allSatisfy { $0.values(metric).isEmpty }
  }

  /// The ratio of SQLite's times alone. Nil unless it makes times doubtful: on one machine, at two
  /// times.
  private func speed(_ matching: Matching) -> Double? {
    guard matching.pairing == .unpaired, matching.machines == .same else { return nil }
    return matching.rawSQLiteRatio
  }

  private func waiver(for entry: GateEntry, _ judgement: Judgement) -> Waiver? {
    guard case .count(let count) = judgement, count.verdict == .fail else { return nil }
    return policy.waivers.first {
      today <= $0.until && $0.covers(entry.plain.match.key, count, metric: entry.metric)
    }
  }

  /// In counted cells, counts that depend on timing, or instructions of other toolchains, advise.
  private func isGated(_ count: MatchedMetric) -> Bool {
    guard count.match.key.isCounted else { return true }
    return count.match.unsteadySides(count.metric).isEmpty
      && (isSameToolchain || !count.metric.isInstructions)
  }
}

private struct GateEntry {
  /// In the metric's unit.
  let plain: MatchedMetric
  /// Multiples of the yardstick, if there is one.
  let judged: MatchedMetric
  let yardstick: Metric?
  /// Whether equal work gives an equal count here.
  let isExact: Bool
  private let declared: InexactCount?

  init(_ match: Matching.Match, _ metric: Metric, inexact: InexactCount?, in matching: Matching) {
    declared = inexact
    isExact = metric.isCount && inexact == nil
    // Both cells of a pair ran on one machine, so their times need no yardstick.
    let arePairs = matching.pairing == .paired && !isExact
    let multiples =
      arePairs || matching.machines == .same
      ? nil : Normalisation.steadier(match, metric, in: matching)
    yardstick = multiples?.yardstick
    plain = MatchedMetric(metric, of: match, paired: arePairs)
    var judged = plain
    if let multiples {
      (judged.baseline, judged.candidate) = (multiples.baseline, multiples.candidate)
    }
    self.judged = judged
  }

  var metric: Metric { plain.metric }

  var isMeasured: Bool { !judged.baseline.isEmpty || !judged.candidate.isEmpty }

  /// Multiples have no unit, so they have no absolute floor.
  func sample(_ rule: JudgingRule) -> TimeSample {
    var rule = rule
    if yardstick != nil { rule.absoluteFloor = 0 }
    return judged.sample(rule)
  }

  var inexact: GateFigure.Inexact? {
    declared.map { declared in
      let differs = [judged.baseline, judged.candidate].contains { Set($0).count > 1 }
      return GateFigure.Inexact(
        declared: declared, differs: differs || !plain.match.unsteadySides(metric).isEmpty)
    }
  }
}
