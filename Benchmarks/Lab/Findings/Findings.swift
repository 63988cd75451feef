import Judging
import Measurement

struct Findings: Codable, Sendable {
  struct Report: Codable, Sendable {
    /// Without its folder.
    let file: String
    /// The machine in one line.
    let machine: String
    /// By scenario.
    let questions: [String: String]
    let summary: Summary

    init(
      file: String, machine: String, questions: [String: String], cells: [CellResult],
      context: RunContext = RunContext()
    ) {
      self.file = file
      self.machine = machine
      self.questions = questions
      summary = Summary(cells: cells, context: context)
    }
  }

  /// Of all reports.
  let cells: Int
  let okCells: Int
  /// Judged in the pool store.
  let advice: [AdviceResult]
  let reports: [Report]

  init(_ reports: [Report], advice: [Advice]) {
    let all = reports.flatMap(\.summary.cells)
    cells = all.count
    okCells = all.count { $0.status == .ok }
    let pool = reports.flatMap(\.summary.sections).filter { $0.store == "pool" }
    self.advice = advice.map { AdviceResult($0, judgedBy: pool) }
    self.reports = reports
  }

  func advice(_ verdict: AdviceResult.Outcome) -> [AdviceResult] {
    advice.filter { $0.verdict == verdict }
  }
}

/// A recommendation of one topology over another, which a run can confirm or contradict.
struct Advice: Codable, Sendable, Equatable {
  let says: String
  let scenario: String
  /// The values of swept fields to judge it at.
  let parameters: [String: String]
  let recommended: String
  /// Worse according to the advice.
  let over: String
  /// The deciding metric, by which sections are ranked: blocked time or the longest gap.
  let metric: Metric
  /// Claims of Documentation/Evidence/claims.yaml about the same two in the same scenario that this
  /// tool fails to reproduce. They say why a contradiction may be the tool's own failure.
  let unreproduced: [String]

  init(
    _ says: String, scenario: String, at parameters: [String: String] = [:], recommends: String,
    over: String, by metric: Metric = .mainBlocked, unreproduced: [String] = []
  ) {
    precondition([.mainBlocked, .mainLongestGap].contains(metric), "no ranking by \(metric.name)")
    self.says = says
    self.scenario = scenario
    self.parameters = parameters
    self.recommended = recommends
    self.over = over
    self.metric = metric
    self.unreproduced = unreproduced
  }
}

struct AdviceResult: Codable, Sendable, Equatable {
  enum Outcome: String, Codable, Sendable, CaseIterable {
    /// The trials separate the two, and the recommended topology is better.
    case bornOut = "borne out"
    /// As borne out, but the recommended topology usually freezes the screen for over a frame.
    case freezes = "better, but freezes"
    /// The trials separate the two, and the other topology is better.
    case contradicted
    /// As contradicted, but this tool does not reproduce a published measurement of the two either.
    case notReproduced = "not reproduced"
    case notSeparated = "not separated"
    /// The setting was measured too badly to rank.
    case discarded
    /// The setting has too few trials to rank.
    case tooFewTrials = "too few trials"
    case notMeasured = "not measured"
  }

  let advice: Advice
  let verdict: Outcome
  let recommended: Double?
  let other: Double?

  /// The verdict is `notMeasured` if several sections fit the advice, as in a sweep.
  ///
  /// - Parameter sections: of one store mode. Other scenarios and parameters are ignored.
  init(_ advice: Advice, judgedBy sections: [SummarySection]) {
    self.advice = advice
    let own = sections.filter(advice.isAbout)
    let section = own.count == 1 ? own[0] : nil
    let ranking = advice.metric == .mainLongestGap ? section?.gapRanking : section?.ranking
    func median(_ name: String) -> Double? {
      ranking?.places.first { $0.name == name }?.median
    }
    recommended = median(advice.recommended)
    other = median(advice.over)
    let pair = ranking?.pairs.first { pair in
      Set([pair.better, pair.worse]) == [advice.recommended, advice.over]
    }
    verdict = Self.verdict(advice, pair, section)
  }

  private static func verdict(
    _ advice: Advice, _ pair: Ranking.Pair?, _ section: SummarySection?
  ) -> Outcome {
    guard let pair, let section else { return .notMeasured }
    if section.isDiscarded { return .discarded }
    guard section.isRanked, pair.rounds >= section.trialsNeeded else { return .tooFewTrials }
    guard pair.isSeparated else { return .notSeparated }
    if pair.better == advice.recommended {
      let freeze = section.conclusion.freezes.first { $0.topology == advice.recommended }
      return freeze?.usual == nil ? .bornOut : .freezes
    }
    return advice.unreproduced.isEmpty ? .contradicted : .notReproduced
  }
}

extension Advice {
  func isAbout(_ section: SummarySection) -> Bool {
    let swept = SweptParameters(section.parameters).values
    return section.counted == nil && section.scenario == scenario
      && parameters.allSatisfy { swept[$0]?.text == $1 }
  }
}
