import Judging
import Measurement

/// What one report says, scenario by scenario.
extension FindingsPage {
  func blocks(_ report: FindingsReport) -> [String] {
    let summary = Summary(cells: report.cells)
    var names: [String] = []
    for section in summary.sections where !names.contains(section.scenario) {
      names.append(section.scenario)
    }
    return names.flatMap { name in
      [
        "## \(Markdown.escaped(name))", Markdown.escaped(report.questions[name] ?? ""),
        "From \(Markdown.code(report.file)).",
      ].filter { !$0.isEmpty } + blocks(of: name, in: summary)
    }
  }

  /// A table for each setting, or where fields were swept one for each of these.
  private func blocks(of scenario: String, in summary: Summary) -> [String] {
    let sweeps = summary.sweeps.filter { $0.scenario == scenario }
    let sections = summary.sections.filter { $0.scenario == scenario }
    guard sweeps.isEmpty else {
      return sections.prefix(1).map { Markdown.escaped(Sentences.work($0)) + ", to begin with." }
        + sweeps.flatMap(blocks) + failures(sections)
    }
    return sections.flatMap { section in
      [
        "\(Markdown.escaped("\(Sentences.work(section)); \(section.store) store")).",
        table(section),
        Markdown.escaped(Sentences.conclusion(section)),
      ]
    } + failures(sections)
  }

  private func blocks(_ sweep: Sweep) -> [String] {
    [
      "### \(Markdown.escaped(Sentences.title(sweep)))", SweepTable(sweep).markdown,
      Markdown.escaped("\(Sentences.legend(sweep)) \(Sentences.crossovers(sweep))"),
    ]
  }

  private func failures(_ sections: [SummarySection]) -> [String] {
    let lines = sections.flatMap { section in
      section.topologies.flatMap { topology in
        topology.failures.map { Sentences.failure($0, of: topology.name) }
      }
    }
    return lines.isEmpty
      ? [] : [lines.map { "- \(Markdown.escaped($0))" }.joined(separator: "\n")]
  }

  private func table(_ section: SummarySection) -> String {
    let headings = [
      "rank", "topology", "blocked, ms", "95 % interval", "longest, ms", "visible, ms",
      "late frames",
    ]
    let rows = section.topologies.map { topology in
      [
        topology.rank.map { "\($0)\(topology.isRankShared ? "=" : "")" } ?? "–", topology.name,
        figure(topology, "main_blocked_ms"), interval(topology),
        figure(topology, "main_longest_gap_ms"), figure(topology, "visible_ms"),
        figure(topology, "frames_late"),
      ]
    }
    let rule = headings.indices.map { $0 == 1 ? ":---" : "---:" }
    return ([headings, rule] + rows.map { $0.map(Markdown.escaped) })
      .map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }

  private func figure(_ topology: TopologySummary, _ metric: String) -> String {
    topology.median(metric).map(Figures.short) ?? "–"
  }

  private func interval(_ topology: TopologySummary) -> String {
    topology.estimates["main_blocked_ms"]?.interval
      .map { "\(Figures.short($0.lower))–\(Figures.short($0.upper))" } ?? "–"
  }
}
