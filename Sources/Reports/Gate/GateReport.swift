package import Judging
import Measurement

package struct GateReport: Sendable {
  package typealias Format = OutputFormat<DataFormat>

  package enum DataFormat: String, Sendable, CaseIterable {
    case json, junit, github
  }

  package let result: GateResult
  /// Of the same reports, with all figures, gated or not.
  package let comparison: Comparison

  package init(_ result: GateResult, _ comparison: Comparison) {
    self.result = result
    self.comparison = comparison
  }

  package func render(as format: Format, style: TextStyle) throws -> String {
    switch format {
    case .document(let format): format.render(document, style)
    case .data(.json): try json()
    case .data(.junit): junit()
    case .data(.github): annotations()
    }
  }

  var lines: [GateLine] {
    result.missing.map(GateLine.init) + result.figures.map { GateLine($0, result.times) }
      + result.limits.map { GateLine($0, result.times) }
      + result.expectations.map { GateLine($0, result.times) }
  }

  var shown: [(topology: String, row: Comparison.Figure)] {
    let gated = Set(result.figures.map(\.metric))
    return comparison.topologies.flatMap { topology in
      topology.figures.filter { !gated.contains($0.metric) }
        .filter { $0.verdict.isChange }
        .map { (topology.name, $0) }
    }
  }
}

// MARK: - Document

extension GateReport {
  var document: Document {
    Document(
      title: "topobench gate: \(result.outcome.rawValue)",
      blocks: [.lines(ComparisonSentences.reports(comparison)), .table(table)]
        + (passed.map { [.paragraph($0)] } ?? [])
        + [.list(notes), .paragraph(conclusion, .answer)])
  }

  /// Counts the decisions that are not listed because they passed.
  private var passed: String? {
    let count = lines.count { !$0.isListed }
    guard count > 0 else { return nil }
    return "Not listed: \(Figures.counted(count, "exact count")) that did not increase."
  }

  private var table: Table {
    let listed = lines.filter(\.isListed)
      .sorted { $0.mark.importance.grade < $1.mark.importance.grade }
    return Table(
      listed, columns(listed), isEmphasised: { $0.mark != .pass },
      importance: { $0.mark.importance })
  }

  private func columns(_ lines: [GateLine]) -> [ValueColumn<GateLine>] {
    let places = Set(lines.compactMap { $0.key.map(ComparisonSentences.place) })
    let place = ValueColumn<GateLine>("scenario", "", .words) {
      $0.key.map(ComparisonSentences.place) ?? ""
    }
    return [
      .leading("topology") { ComparisonSentences.brief($0.topology) },
      .leading("figure") { $0.subject },
      ValueColumn("baseline", "", .figure) { $0.baseline },
      ValueColumn("candidate", "", .figure, stays: true) { $0.candidate },
      ValueColumn("change", "", .figure, stays: true) { $0.change },
      ValueColumn("verdict", "", .label, stays: true) { $0.mark.rawValue },
    ] + (places.count > 1 ? [place] : []) + [ValueColumn("why", "", .sentence) { $0.reason }]
  }
}
