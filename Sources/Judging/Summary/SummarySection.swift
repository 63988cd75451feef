package import Measurement

package struct SummarySection: Codable, Sendable, Equatable {
  package let scenario: String
  package let scenarioDigest: String
  /// A JSON object, or empty.
  package let parameters: String
  /// Some topologies may have another one.
  package let store: String
  package let objects: Int?
  package let inserts: Int?
  package let updates: Int?
  package let deletes: Int?
  package let saves: Int?
  /// In ms.
  package let horizon: Double?
  /// Rounds with a cell.
  package let rounds: Int
  /// Best first. Topologies without an `ok` cell last.
  package let topologies: [TopologySummary]
  package let ranking: Ranking
  /// By `main_longest_gap_ms`. It may separate topologies that tie in blocked time.
  package let gapRanking: Ranking
  package let trialsNeeded: Int
  package let trust: Trust
  /// Whether the trials are enough, but the figures cannot be trusted. A single topology needs as
  /// many as an interval.
  package let isDiscarded: Bool
  /// Whether topologies have letters. A single topology has the first one.
  package let isRanked: Bool
  /// The topologies' median relative spread of `main_blocked_ms`.
  package let spread: Double?
  package let rawTime: Estimate?
  package let sync: Estimate?
  package let conclusion: Conclusion
  package let defaults: [String]
  /// Nil for timed cells.
  package let counted: Bool?

  init(cells: [CellResult], store: String, context: RunContext) {
    // A group has a cell.
    let first = cells[0]
    counted = first.isCounted ? true : nil
    // Counts depend neither on the machine nor on the number of trials.
    let context = first.isCounted ? RunContext() : context
    scenario = first.scenario
    scenarioDigest = first.scenarioDigest
    parameters = first.parameters
    self.store = store
    objects = cells.lazy.compactMap(\.objects).first
    inserts = cells.lazy.compactMap(\.inserts).first
    updates = cells.lazy.compactMap(\.updates).first
    deletes = cells.lazy.compactMap(\.deletes).first
    saves = cells.lazy.compactMap(\.saves).first
    horizon = cells.lazy.compactMap(\.horizon).first
    rounds = Set(cells.map(\.round)).count
    let groups = Dictionary(grouping: cells, by: \.topology)
    let ranking = Ranking(cells) { $0.metrics[Question.change.blocked] }
    let gapRanking = Ranking(cells) { $0.value(Question.change.gap) }
    trialsNeeded = Trials.needed(topologies: ranking.places.count)
    let ok = cells.filter { $0.status == .ok }
    spread = Self.spread(ok)
    trust = Trust(spread: spread, cells: ok, context: context)
    let isAlone = ranking.places.count < 2
    let hasTrials = isAlone ? ok.count >= trialsNeeded : ranking.hasTrials
    isDiscarded = hasTrials && trust.grade == .discard
    isRanked = (hasTrials || isAlone) && trust.grade != .discard
    self.ranking = isRanked ? ranking : ranking.withoutLetters
    self.gapRanking = isRanked ? gapRanking : gapRanking.withoutLetters
    topologies = Self.topologies(groups, store: store, ranking: self.ranking)
    rawTime = Estimate(ok.compactMap { $0.metrics[.rawSQLite] }, of: .rawSQLite)
    sync = Estimate(ok.compactMap { $0.metrics[.sync] }, of: .sync)
    defaults = context.defaults(for: first.setting)
    let doubts = RunDiagnoses(
      cells: cells, ok: ok, topologies: topologies, context: context
    ).all(isCounted: first.isCounted)
    conclusion = Conclusion(
      ok, ranking, trialsNeeded: trialsNeeded, discardedBy: isDiscarded ? trust : nil,
      topologies: topologies, doubts: doubts)
  }

  private static func spread(_ ok: [CellResult]) -> Double? {
    let groups = Dictionary(grouping: ok, by: \.topology).values
    return Statistics.median(
      groups.compactMap {
        Statistics.relativeSpread($0.compactMap { $0.metrics[Question.change.blocked] })
      })
  }

  private static func topologies(
    _ groups: [String: [CellResult]], store: String, ranking: Ranking
  ) -> [TopologySummary] {
    let ranked = ranking.places.map { place in
      TopologySummary(
        name: place.name, cells: groups[place.name, default: []], besides: store,
        letters: place.letters)
    }
    let names = Set(ranking.places.map(\.name))
    let others = groups.filter { !names.contains($0.key) }
      .sorted { ($0.value.instructions, $0.key) < ($1.value.instructions, $1.key) }
    return ranked
      + others.map { TopologySummary(name: $0, cells: $1, besides: store, letters: "") }
  }
}

extension [CellResult] {
  /// The fewest that main needed. Infinite if not counted, to sort last.
  fileprivate var instructions: Double {
    compactMap { $0.metrics[.mainInstructions] }.min() ?? .infinity
  }
}

extension CellResult {
  /// Identifies the trial and its run. Cells of one round are compared.
  package var round: String { "\(runID)/\(trial)" }
}
