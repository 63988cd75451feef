package import Judging
package import Measurement

// Documentation/Findings.md, as `topobench findings` writes it from reports:
//
//   # Findings        what it was made from, on which machine, and what it is not
//   ## Common advice  each advice, where it was tried, and whether it was borne out
//   ## 5000-cities    the question · a table, or one for each swept field · the conclusion
//   …
//
// Everything in it is computed from the reports: nobody writes a figure by hand.

/// One report, with what its environment file tells.
package struct FindingsReport: Sendable {
  /// The file's name, without its folder.
  package var file: String
  package var cells: [CellResult]
  /// By scenario: the question it puts.
  package var questions: [String: String]
  /// Where it was measured, in a line.
  package var machine: String

  package init(file: String, cells: [CellResult], questions: [String: String], machine: String) {
    self.file = file
    self.cells = cells
    self.questions = questions
    self.machine = machine
  }
}

/// The page that says what came out of the shipped scenarios.
package struct FindingsPage: Sendable {
  private let reports: [FindingsReport]
  private let advice: [Advice]

  package init(_ reports: [FindingsReport], advice: [Advice] = CommonAdvice.all) {
    self.reports = reports
    self.advice = advice
  }

  package var markdown: String {
    let cells = reports.flatMap(\.cells)
    let blocks = introduction(cells) + adviceBlocks(cells) + reports.flatMap(blocks)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func introduction(_ cells: [CellResult]) -> [String] {
    let ok = cells.count { $0.status == .ok }
    return [
      "# Findings",
      """
      What came out of the shipped scenarios. `scripts/findings` makes this page from the reports in
      `results/full`, which `scripts/run-all` measures; a test holds it against them. \
      \(Sentences.counted(cells.count, "cell")), \(ok == cells.count ? "all" : "\(ok)") ok. Blocked is
      main's time in the database, executing and waiting; medians over trials, with a 95 % interval from
      six trials on. Topologies that the trials cannot tell apart share a rank.
      """,
      "*\(Markdown.escaped(Sentences.whatItIsNot(Summary(cells: cells))))*",
      machines(),
    ]
  }

  private func machines() -> String {
    let files = Dictionary(grouping: reports, by: \.machine)
    let lines = files.sorted { $0.key < $1.key }.map { machine, reports in
      files.count == 1
        ? "Measured on: \(Markdown.escaped(machine))."
        : "- \(reports.map { Markdown.code($0.file) }.listed): \(Markdown.escaped(machine))"
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Advice

  private func adviceBlocks(_ cells: [CellResult]) -> [String] {
    let pool = cells.filter { $0.store == "pool" }
    let findings = advice.map { AdviceFinding($0, judgedBy: pool) }
    let measured = findings.filter { $0.verdict != .notMeasured }
    let contradicted = measured.count { $0.verdict == .contradicted }
    let rows = findings.map { finding in
      let advice = finding.advice
      return [advice.says, place(advice), result(finding), finding.verdict.rawValue]
    }
    let table =
      ([["advice", "tried in", "what came out", "verdict"], Array(repeating: ":---", count: 4)]
      + rows.map { $0.map(Markdown.escaped) })
      .map { "| \($0.joined(separator: " | ")) |" }
    return [
      "## Common advice",
      "Of \(Sentences.counted(measured.count, "piece")) of advice that were tried, \(contradicted) "
        + "\(contradicted == 1 ? "is" : "are") contradicted here. An advice that is not told apart may "
        + "be right, but not by enough to show.",
      table.joined(separator: "\n"),
    ]
  }

  private func place(_ advice: Advice) -> String {
    let values = advice.parameters.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
    return ([advice.scenario] + values).joined(separator: ", ")
  }

  private func result(_ finding: AdviceFinding) -> String {
    guard let recommended = finding.recommended, let other = finding.other else { return "–" }
    let metric = finding.advice.metric == "main_blocked_ms" ? "" : " (\(finding.advice.metric))"
    return "\(finding.advice.recommended) \(Figures.short(recommended)) ms, "
      + "\(finding.advice.over) \(Figures.short(other)) ms\(metric)"
  }
}
