import Judging
import Measurement

extension GateReport {
  /// Markdown as GitHub reads it, for a step summary or a pull request: the gravest first, and no more
  /// than fit.
  func markdown() -> String {
    let rows = KeptRows([lines.filter(\.isListed)], gravity: \.mark.gravity)
    let title = "### topobench gate: \(result.outcome.name)"
    let conclusion = "**\(Markdown.escaped(conclusion))**"
    let reports = ComparisonSentences.reports(comparison).map(Markdown.escaped)
      .joined(separator: "<br>\n")
    let blocks: [String?] = [
      title, conclusion, Self.table(rows.tables[0]),
      rows.notShown(\.mark.rawValue, others: Self.elsewhere).map(Markdown.escaped),
      passed.map(Markdown.escaped), Self.bullets(notes), reports,
    ]
    return blocks.compactMap { $0 }.joined(separator: "\n\n") + "\n"
  }

  private static let elsewhere = "--format table and json have all"
  private static let mostNotes = 50

  private static func bullets(_ notes: [String]) -> String? {
    guard !notes.isEmpty else { return nil }
    let more =
      notes.count > mostNotes ? ["… and \(notes.count - mostNotes) more; \(elsewhere)."] : []
    return (notes.prefix(mostNotes) + more).map { "- \(Markdown.escaped($0))" }
      .joined(separator: "\n")
  }

  private static func table(_ lines: [GateLine]) -> String? {
    guard !lines.isEmpty else { return nil }
    let head = [
      "| verdict | topology | figure | baseline | candidate | change | why | where |",
      "| :--- | :--- | :--- | ---: | ---: | ---: | :--- | :--- |",
    ]
    let grave = lines.enumerated().sorted {
      ($0.element.mark.gravity, $0.offset) < ($1.element.mark.gravity, $1.offset)
    }
    return (head + grave.map { row($0.element) }).joined(separator: "\n")
  }

  private static func row(_ line: GateLine) -> String {
    let mark = line.mark == .pass ? line.mark.rawValue : "**\(line.mark.rawValue)**"
    let cells = [
      ComparisonSentences.brief(line.topology), line.subject, line.baseline, line.candidate,
      line.change, line.reason, line.key.map(ComparisonSentences.place) ?? "",
    ]
    return "| \(([mark] + cells.map(Markdown.escaped)).joined(separator: " | ")) |"
  }
}
