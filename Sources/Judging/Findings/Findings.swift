package import Measurement

package struct Findings: Codable, Sendable {
  package struct Report: Codable, Sendable {
    /// Without its folder.
    package let file: String
    /// In a line.
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
