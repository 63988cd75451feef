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
  /// By the longest gap. It may separate topologies that tie in blocked time.
  package let gapRanking: Ranking
  package let trialsNeeded: Int
  package let trust: Trust
  /// Whether the trials are enough, but the figures cannot be trusted. A single topology needs as
  /// many as an interval.
  package let isDiscarded: Bool
  /// Whether the trials may be ranked. A single topology has no letter.
  package let isRanked: Bool
  /// The topologies' median relative spread of blocked time.
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
    // Counts depend neither on the machine nor on the number of trials.
    let context = first.isCounted ? RunContext() : context
    func known<Value>(_ value: (CellResult) -> Value?) -> Value? {
      cells.lazy.compactMap(value).first
    }
    (scenario, scenarioDigest, parameters) = (
      first.scenario, first.scenarioDigest, first.parameters
    )
    (self.store, counted) = (store, first.isCounted ? true : nil)
    (objects, saves, horizon) = (known(\.objects), known(\.saves), known(\.horizon))
    (inserts, updates, deletes) = (known(\.inserts), known(\.updates), known(\.deletes))
    rounds = Set(cells.map(\.round)).count
    let judged = JudgedCells(cells, context)
    (ranking, gapRanking) = (judged.ranking, judged.gapRanking)
    (spread, trust, trialsNeeded) = (judged.spread, judged.trust, judged.trialsNeeded)
    (isDiscarded, isRanked) = (judged.isDiscarded, judged.isRanked)
    topologies = Self.topologies(
      cells, judged.question, store: store, ranking: judged.ranking)
    rawTime = judged.estimate(.rawSQLite)
    sync = judged.estimate(.sync)
    defaults = context.defaults(for: first.setting)
    let doubts = RunDiagnoses(
      cells: cells, ok: judged.ok, topologies: topologies, context: context
    ).all(isCounted: first.isCounted)
    conclusion = judged.conclusion(of: topologies, doubts)
  }

  private static func topologies(
    _ cells: [CellResult], _ question: Question, store: String, ranking: Ranking
  ) -> [TopologySummary] {
    let groups = Dictionary(grouping: cells, by: \.topology)
    let ranked = ranking.places.map { place in
      TopologySummary(
        name: place.name, cells: groups[place.name, default: []], asked: question,
        besides: store, letters: place.letters)
    }
    let names = Set(ranking.places.map(\.name))
    let others = groups.filter { !names.contains($0.key) }.map {
      TopologySummary(name: $0, cells: $1, asked: question, besides: store, letters: "")
    }
    // The fewest instructions come first, and topologies without a count come last.
    let instructions = { (topology: TopologySummary) in
      topology.median(question.instructions) ?? .infinity
    }
    return ranked
      + others.sorted { (instructions($0), $0.name) < (instructions($1), $1.name) }
  }
}

extension SummarySection {
  package var question: Question { conclusion.question }

  /// The key that the section's topologies share, apart from those of another store mode.
  package var key: CellKey { key("", store) }

  package func key(of topology: TopologySummary) -> CellKey {
    key(topology.name, topology.store ?? store)
  }

  private func key(_ topology: String, _ store: String) -> CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: topology,
      store: store, isCounted: counted ?? false)
  }
}

/// The rankings of a section's cells, and how far to trust them.
private struct JudgedCells {
  let ok: [CellResult]
  let question: Question
  let ranking: Ranking
  let gapRanking: Ranking
  let trialsNeeded: Int
  let spread: Double?
  let trust: Trust
  let isDiscarded: Bool
  let isRanked: Bool

  init(_ cells: [CellResult], _ context: RunContext) {
    ok = cells.filter { $0.status == .ok }
    let question = Question(of: cells)
    self.question = question
    let blocked = Ranking(ok) { $0.metrics[question.blocked] }
    let gaps = Ranking(ok) { $0.value(question.gap) }
    trialsNeeded = Trials.needed(topologies: blocked.places.count)
    spread = Self.spread(ok, of: question.blocked)
    let isAlone = blocked.places.count < 2
    let hasTrials = isAlone ? ok.count >= trialsNeeded : blocked.hasTrials
    trust = Trust(
      spread: spread, cells: ok, rounds: Set(cells.map(\.round)).count, context: context,
      hasTrials: hasTrials)
    isDiscarded = trust.grade == .discard
    isRanked = (hasTrials || isAlone) && trust.grade != .discard
    (ranking, gapRanking) =
      isRanked ? (blocked, gaps) : (blocked.withoutLetters, gaps.withoutLetters)
  }

  func estimate(_ metric: Metric) -> Estimate? {
    Estimate(ok.values(metric), of: metric)
  }

  func conclusion(of topologies: [TopologySummary], _ doubts: [Diagnosis]) -> Conclusion {
    Conclusion(
      ok, ranking, question, trialsNeeded: trialsNeeded, discardedBy: isDiscarded ? trust : nil,
      topologies: topologies, doubts: doubts)
  }

  private static func spread(_ ok: [CellResult], of metric: Metric) -> Double? {
    let groups = Dictionary(grouping: ok, by: \.topology).values
    return Statistics.median(groups.compactMap { Statistics.relativeSpread($0.values(metric)) })
  }
}

extension CellResult {
  /// Identifies the trial and its run. Cells of one round are compared.
  var round: CellGroup.Round { CellGroup.Round(run: self.runID, trial: self.trial) }
}
