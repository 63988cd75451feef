import Judging
import Measurement
import Reports
import Support

// Documentation/Explanation/Findings.md, as `scripts/lab findings` writes it from reports:
//
//   # Findings           reports, machines, and limits of the results
//   ## When it matters   the settings in which a gap passes a frame
//   ## Common advice     where each advice was tried, and whether it held
//   ## Scenarios         one line each: the conclusion, and the file of its rows

struct FindingsPage: Sendable {
  enum Format: String, Sendable, CaseIterable {
    case markdown, json
  }

  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  var markdown: String { MarkdownRenderer(level: 1).render(document) }

  func render(as format: Format) throws -> String {
    switch format {
    case .markdown: markdown
    case .json: try Self.json(findings)
    }
  }

  private var document: Document {
    Document(
      title: "Findings",
      blocks: introduction + [Self.sectionOfEffects(findings), advice, scenarios])
  }

  private var introduction: [Document.Block] {
    let (cells, ok) = (findings.cells, findings.okCells)
    return [
      .paragraph(
        """
        Results of the shipped scenarios. scripts/findings makes this page from the reports in \
        results/full, which scripts/run-all measures, and a test compares them. \
        \(Figures.counted(cells, "cell")), \(ok == cells ? "all" : "\(ok)") ok. \
        Figures are medians over trials, longest gaps without those that topobench caused.
        """),
      .paragraph(Self.limits(findings), .aside),
      machines,
    ]
  }

  private var machines: Document.Block {
    let files = Dictionary(grouping: findings.reports, by: \.machine).sorted { $0.key < $1.key }
    guard files.count > 1 else {
      return .paragraph("Measured on: \(files.first?.key ?? "no machine").")
    }
    return .list(files.map { "\($1.map(\.file).listed): \($0)" })
  }

  private var advice: Document.Block {
    .section(
      "Common advice",
      [
        .paragraph(
          "\(Self.conclusion(findings)) Advice that is not separated may be right, but not by"
            + " enough to show. A better topology that usually freezes the screen is not borne out."
        ),
        .table(Table(findings.advice, Self.columns)),
      ])
  }

  static func conclusion(_ findings: Findings) -> String {
    let clauses = AdviceResult.Outcome.allCases.compactMap { outcome -> String? in
      let count = findings.advice(outcome).count
      return count == 0 ? nil : "\(count) \(count == 1 ? "is" : "are") \(outcome.clause)"
    }
    return "\(Figures.counted(findings.advice.count, "piece")) of advice: "
      + clauses.joined(separator: "; ") + "."
  }

  static func limits(_ findings: Findings) -> String {
    Sentences.limits(findings.reports.flatMap(\.summary.sections))
  }

  private static let columns: [ValueColumn<AdviceResult>] = [
    ValueColumn("advice", "", .words) { $0.advice.says },
    ValueColumn("tried in", "", .words) { finding in
      let values = finding.advice.parameters.sorted { $0.key < $1.key }
      return ([finding.advice.scenario] + values.map { "\($0) \($1)" }).joined(separator: ", ")
    },
    ValueColumn("result", "", .words) { result($0) },
    ValueColumn("verdict", "", .words) { finding in
      let claims = finding.verdict == .notReproduced ? finding.advice.unreproduced : []
      return finding.verdict.rawValue + (claims.isEmpty ? "" : " (\(claims.listed) in Evidence)")
    },
  ]

  private static func result(_ finding: AdviceResult) -> String {
    guard let recommended = finding.recommended, let other = finding.other else {
      return Table.missing
    }
    let metric = finding.advice.metric == .mainBlocked ? "" : " (\(finding.advice.metric.name))"
    return "\(finding.advice.recommended) \(Figures.milliseconds(recommended)), "
      + "\(finding.advice.over) \(Figures.milliseconds(other))\(metric)"
  }

  private var scenarios: Document.Block {
    .section(
      "Scenarios",
      [
        .paragraph(
          "Each line is about the topologies measured there, and no others. Type topobench report"
            + " FILE.csv --output page.html to draw the figures behind it.")
      ] + findings.reports.flatMap(Self.lines))
  }

  /// The scenario in which results/baseline.csv has all topologies.
  private static let scenarioOfAll = "5000-cities"

  /// One for each scenario: its conclusion, a link to its rows, and one to the table of all
  /// topologies if there is one.
  private static func lines(_ report: Findings.Report) -> [Document.Block] {
    report.summary.sections.map(\.scenario).unique.map { name in
      let sections = report.summary.sections.filter { $0.scenario == name }
      let sweeps = report.summary.sweeps.filter { $0.scenario == name }
      let answer =
        sweeps.isEmpty
        ? Phrases.short(sections.map(\.conclusion)) : Phrases.short(sweeps, sections)
      let count = Set(sections.flatMap(\.conclusion.topologies)).count
      let rows = Document.Link(target: "../../results/full/\(report.file)", text: report.file)
      let all = Document.Link(target: "../Reference/Topologies.md", text: "all topologies")
      return .links(
        "\(name) (\(count) \(count == 1 ? "topology" : "topologies")): \(answer). Rows: ",
        name == scenarioOfAll ? [rows, all] : [rows])
    }
  }

  static let jsonSchema = "topobench-findings/2"

  static func json(_ findings: Findings) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: conclusion(findings), notes: [limits(findings)],
      value: findings
    ).text()
  }
}

extension AdviceResult.Outcome {
  /// After `is` or `are`.
  fileprivate var clause: String {
    switch self {
    case .bornOut, .notSeparated, .notMeasured: rawValue
    case .freezes: "for a topology that is better, but freezes the screen"
    case .contradicted: "contradicted here"
    case .notReproduced:
      "not reproduced: this tool fails to show a published measurement of the same two"
    case .discarded: "not judged, because the trials were measured too badly"
    case .tooFewTrials: "not judged, because the trials are too few"
    }
  }
}

/// A setting in which a topology serves no event for longer than a frame.
private struct Effect {
  let setting: String
  let phase: Question.Phase
  /// Each topology's median longest gap in milliseconds, the longest first. 0 if the instrument
  /// caused the longest gap of each trial.
  let gaps: [(name: String, gap: Double)]

  init?(_ section: SummarySection) {
    gaps = section.conclusion.freezes.map { ($0.topology, $0.gap ?? 0) }
    guard let worst = gaps.first, FreezeLimit.frame.isPassed(by: worst.gap) else { return nil }
    let values = section.parameters.filter { !"{}\"".contains($0) }
      .split(separator: ",").map { ", " + $0.replacing(":", with: " ") }
    setting = section.scenario + values.joined()
    phase = section.question.phase
  }

  var worst: Double { gaps.first?.gap ?? 0 }

  var over: String {
    gaps.filter { FreezeLimit.frame.isPassed(by: $0.gap) }.map { name, gap in
      "\(name) \(Figures.gap(gap))" + (FreezeLimit.hang.isPassed(by: gap) ? " (hang)" : "")
    }.joined(separator: ", ")
  }

  var within: String {
    let names = gaps.filter { !FreezeLimit.frame.isPassed(by: $0.gap) }.map(\.name)
    return names.isEmpty ? Table.missing : names.joined(separator: ", ")
  }
}

extension FindingsPage {
  static func sectionOfEffects(_ findings: Findings) -> Document.Block {
    let sections = findings.reports.flatMap(\.summary.sections)
      .filter { !$0.conclusion.freezes.isEmpty }
    let effects = sections.compactMap(Effect.init).sorted { $0.worst > $1.worst }
    let smooth =
      "\(sections.count - effects.count) of \(Figures.counted(sections.count, "setting"))"
    return .section(
      "When it matters",
      [
        .paragraph(
          """
          In \(smooth) no longest gap of a topology measured there passes a frame at 60 Hz \
          (16.7 ms), in the median over trials. The others are below, the worst first. A gap over \
          250 ms counts as a hang. The phase is the one that the scenario asks about: the list opens, \
          changes arrive, or the user scrolls.
          """),
        .table(Table(effects, columnsOfEffects)),
      ])
  }

  private static let columnsOfEffects = [
    ValueColumn<Effect>("setting", "", .words) { $0.setting },
    ValueColumn<Effect>("phase", "", .words) { $0.phase.rawValue },
    ValueColumn<Effect>("longest gap over a frame, ms", "", .words) { $0.over },
    ValueColumn<Effect>("within a frame", "", .words) { $0.within },
  ]
}
