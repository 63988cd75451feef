import Measurement

extension GateReport {
  /// Markdown as GitHub reads it, for a step summary or a pull request.
  func markdown() -> String {
    let title = "### topobench gate: \(result.outcome.name)"
    let conclusion = "**\(Markdown.escaped(conclusion))**"
    let reports = ComparisonSentences.reports(comparison).map(Markdown.escaped)
      .joined(separator: "<br>\n")
    let blocks: [String?] = [
      title, conclusion, table, passed.map(Markdown.escaped),
      notes.isEmpty ? nil : notes.map { "- \(Markdown.escaped($0))" }.joined(separator: "\n"),
      reports,
    ]
    return blocks.compactMap { $0 }.joined(separator: "\n\n") + "\n"
  }

  private var table: String? {
    let listed = lines.filter(\.isListed)
    guard !listed.isEmpty else { return nil }
    let head = [
      "| verdict | topology | figure | baseline | candidate | change | why | where |",
      "| :--- | :--- | :--- | ---: | ---: | ---: | :--- | :--- |",
    ]
    return (head + listed.map(row)).joined(separator: "\n")
  }

  private func row(_ line: GateLine) -> String {
    let mark = line.mark == .pass ? line.mark.rawValue : "**\(line.mark.rawValue)**"
    let cells = [
      ComparisonSentences.brief(line.topology), line.subject, line.baseline, line.candidate,
      line.change, line.reason, line.key.map(ComparisonSentences.place) ?? "",
    ]
    return "| \(([mark] + cells.map(Markdown.escaped)).joined(separator: " | ")) |"
  }
}
