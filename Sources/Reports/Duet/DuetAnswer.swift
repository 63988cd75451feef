package import Judging
package import Measurement

/// What a duet says, as text: every format is made from one report.
package enum DuetAnswer {
  package enum Format: String, Sendable, CaseIterable {
    case table, markdown, json, csv
  }

  /// - Parameters:
  ///   - cells: for `csv` only.
  ///   - style: for `table` only.
  package static func render(
    _ report: DuetReport, _ cells: [CellResult], as format: Format, style: TextStyle
  ) -> String {
    switch format {
    case .table: text(report, style: style)
    case .markdown: markdown(report)
    case .json: json(report)
    case .csv: CellCSV.text(cells)
    }
  }

  /// Times, and those counts that did not stay the same: the others are counted in a sentence.
  static func rows(_ report: DuetReport, of target: DuetReport.Target) -> [DuetFigure] {
    report.figures.filter { figure in
      guard figure.target == target.key else { return false }
      guard case .count(let judgement) = figure.judged else { return true }
      return judgement.outcome != .same
    }
  }

  /// The targets of one table: those of one scenario, its parameters and store mode.
  static func sections(_ report: DuetReport) -> [[DuetReport.Target]] {
    report.targets.reduce(into: []) { sections, target in
      if let place = sections.firstIndex(where: { $0[0].key.hasPlace(of: target.key) }) {
        sections[place].append(target)
      } else {
        sections.append([target])
      }
    }
  }
}

extension CellKey {
  fileprivate func hasPlace(of other: CellKey) -> Bool {
    (scenario, parameters, store) == (other.scenario, other.parameters, other.store)
  }
}

/// The columns of a duet's table, the same in every format that is read by people.
struct DuetColumn: Sendable {
  let heading: String
  var unit = ""
  var isNumeric = true
  var staysWithPrevious = false
  let text: @Sendable (DuetFigure) -> String

  static let missing = "–"

  static let topology = DuetColumn(heading: "topology", isNumeric: false) { $0.target.topology }

  static let all: [DuetColumn] = [
    DuetColumn(heading: "metric", isNumeric: false) { $0.metric },
    DuetColumn(heading: "baseline") { side($0, \.baseline, \.baseline) },
    DuetColumn(heading: "candidate") { side($0, \.candidate, \.candidate) },
    DuetColumn(heading: "change") { change($0) },
    DuetColumn(heading: "95 % interval", staysWithPrevious: true, text: interval),
    DuetColumn(heading: "verdict", isNumeric: false, staysWithPrevious: true) {
      $0.verdict.rawValue
    },
    DuetColumn(heading: "pairs") { figure in
      switch figure.judged {
      case .time(let judgement): "\(judgement.trials)"
      case .count(let judgement): "\(judgement.candidate?.trials ?? 0)"
      }
    },
    DuetColumn(heading: "fresh", unit: "pairs", staysWithPrevious: true, text: fresh),
    DuetColumn(heading: "would see", staysWithPrevious: true) { figure in
      figure.detectable.map { "+\(Figures.percent($0))" } ?? missing
    },
  ]

  static func change(_ figure: DuetFigure) -> String { change(figure.judged, of: figure.metric) }

  static func fresh(_ figure: DuetFigure) -> String {
    figure.confirmation.map { change($0, of: figure.metric) } ?? missing
  }

  static func interval(_ figure: DuetFigure) -> String {
    guard case .time(let judgement) = figure.judged, let change = judgement.change,
      let metric = Metrics.named(figure.metric)
    else { return missing }
    return ComparisonFigures.interval(change, metric)
  }

  private static func side(
    _ figure: DuetFigure, _ time: (TimeJudgement) -> Estimate?,
    _ count: (CountJudgement) -> CountJudgement.Range?
  ) -> String {
    switch figure.judged {
    case .time(let judgement): time(judgement).map { Figures.short($0.median) } ?? missing
    case .count(let judgement): count(judgement).map(range) ?? missing
    }
  }

  private static func range(_ range: CountJudgement.Range) -> String {
    let ends = [range.smallest, range.largest].map(Figures.count)
    return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "–")
  }

  private static func change(_ judged: DuetFigure.Judged, of name: String) -> String {
    switch judged {
    case .time(let judgement):
      guard let change = judgement.change, let metric = Metrics.named(name) else { return missing }
      return ComparisonFigures.change(change, metric)
    case .count(let judgement):
      guard let before = judgement.baseline, let after = judgement.candidate else {
        return missing
      }
      let more = after.largest - before.largest
      return more > 0 ? "+\(Figures.count(more))" : Figures.count(more)
    }
  }
}
