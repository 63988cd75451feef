package import Measurement

package struct Findings: Codable, Sendable {
  package struct Report: Codable, Sendable {
    /// Without its folder.
    package let file: String
    /// The machine in one line.
    package let machine: String
    /// By scenario.
    package let questions: [String: String]
    package let summary: Summary

    package init(file: String, machine: String, questions: [String: String], cells: [CellResult]) {
      self.file = file
      self.machine = machine
      self.questions = questions
      summary = Summary(cells: cells)
    }
  }

  /// Of all reports.
  package let cells: Int
  package let okCells: Int
  /// Judged in the pool store.
  package let advice: [AdviceResult]
  package let reports: [Report]

  package init(_ reports: [Report], advice: [Advice]) {
    let all = reports.flatMap(\.summary.cells)
    cells = all.count
    okCells = all.count { $0.status == .ok }
    let pool = all.filter { $0.store == "pool" }
    self.advice = advice.map { AdviceResult($0, judgedBy: pool) }
    self.reports = reports
  }

  package var tried: [AdviceResult] { advice.filter { $0.verdict != .notMeasured } }
  package var contradicted: [AdviceResult] { advice.filter { $0.verdict == .contradicted } }
}

/// A recommendation of one topology over another, which a run can confirm or contradict.
package struct Advice: Codable, Sendable, Equatable {
  package let says: String
  package let scenario: String
  /// The values of swept fields to judge it at.
  package let parameters: [String: String]
  package let recommended: String
  /// Worse according to the advice.
  package let over: String
  /// The deciding metric. Lower is better.
  package let metric: Metric

  package init(
    _ says: String, scenario: String, at parameters: [String: String] = [:], recommends: String,
    over: String, by metric: Metric = .mainBlocked
  ) {
    self.says = says
    self.scenario = scenario
    self.parameters = parameters
    self.recommended = recommends
    self.over = over
    self.metric = metric
  }
}

package struct AdviceResult: Codable, Sendable, Equatable {
  package enum Outcome: String, Codable, Sendable {
    /// The trials separate the two, and the recommended topology is better.
    case bornOut = "borne out"
    /// The trials separate the two, and the other topology is better.
    case contradicted
    case notSeparated = "not separated"
    case notMeasured = "not measured"
  }

  package let advice: Advice
  package let verdict: Outcome
  package let recommended: Double?
  package let other: Double?

  /// Ranks all topologies that were measured with the two. The verdict is `notMeasured` if the
  /// parameters match several settings of a sweep.
  ///
  /// - Parameter cells: of one store mode. Other scenarios and parameters are ignored.
  package init(_ advice: Advice, judgedBy cells: [CellResult]) {
    self.advice = advice
    let own = cells.filter { cell in
      let swept = SweptParameters(cell.parameters).values
      return cell.scenario == advice.scenario
        && advice.parameters.allSatisfy { swept[$0]?.text == $1 }
    }
    let isOneSetting = Set(own.map(\.parameters)).count == 1
    let ranking = Ranking(isOneSetting ? own : []) { $0.metrics[advice.metric] }
    func median(_ name: String) -> Double? {
      ranking.places.first { $0.name == name }?.median
    }
    recommended = median(advice.recommended)
    other = median(advice.over)
    let pair = ranking.pairs.first { pair in
      Set([pair.better, pair.worse]) == [advice.recommended, advice.over]
    }
    verdict =
      switch pair {
      case nil: .notMeasured
      case let pair? where !pair.isSeparated: .notSeparated
      case let pair?: pair.better == advice.recommended ? .bornOut : .contradicted
      }
  }
}
