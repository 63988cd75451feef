import Measurement

/// A time as a multiple of the same cell's time for fixed work, so that a faster machine does not
/// look like a change.
struct Normalisation {
  /// The metric of the fixed work.
  let yardstick: Metric
  let baseline: [Double]
  let candidate: [Double]

  /// The speed of SQLite alone, and of the disk.
  static let yardsticks = [Metric.rawSQLite, .sync]

  /// The multiples of the steadiest yardstick. Nil if none makes both sides steadier.
  ///
  /// - Precondition: both sides keep the metric.
  static func steadier(
    _ match: Matching.Match, _ metric: Metric, in matching: Matching
  ) -> Normalisation? {
    guard metric.kind == .time || metric.kind == .percentile else { return nil }
    let known = yardsticks.filter {
      $0 != metric && matching.baseline.keeps($0) && matching.candidate.keeps($0)
    }
    let steadier = known.compactMap { yardstick -> (Normalisation, spread: Double)? in
      guard let before = Quotients(match.baseline, metric, yardstick),
        let after = Quotients(match.candidate, metric, yardstick),
        before.isSteadier, after.isSteadier
      else { return nil }
      let multiples = Normalisation(
        yardstick: yardstick, baseline: before.values, candidate: after.values)
      return (multiples, max(before.spread, after.spread))
    }
    return steadier.min { $0.spread < $1.spread }?.0
  }
}

/// One side's values over its yardstick's, cell by cell.
private struct Quotients {
  let values: [Double]
  let spread: Double
  private let plainSpread: Double

  var isSteadier: Bool { spread < plainSpread }

  init?(_ group: CellGroup, _ metric: Metric, _ yardstick: Metric) {
    let (plain, lengths) = (group.valuesByRound(metric), group.valuesByRound(yardstick))
    let rounds = group.rounds.filter { plain[$0] != nil && lengths[$0] ?? 0 > 0 }
    // Every cell must have a quotient.
    guard rounds.count == plain.count else { return nil }
    values = rounds.map { (plain[$0] ?? 0) / (lengths[$0] ?? 1) }
    guard let spread = Statistics.relativeSpread(values),
      let plainSpread = Statistics.relativeSpread(Array(plain.values))
    else { return nil }
    (self.spread, self.plainSpread) = (spread, plainSpread)
  }
}
