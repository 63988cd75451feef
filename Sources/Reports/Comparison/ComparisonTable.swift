import Judging
import Measurement
import Support

// The figures of one setting. The first report is the baseline:
//
//     metric                a.csv  │  b.csv  change  verdict  │  c.csv  change  verdict
//   ───────────────────────────────┼──────────────────────────┼─────────────────────────
//   main-only                      │                          │
//     main_blocked_ms        12.1  │   15.3   +27 %  worse    │   12.0  -0.8 %  same

struct ComparisonTable {
  /// One for each comparison. Nil if it lacks the setting.
  let sections: [Comparison.Section?]
  private let comparisons: [Comparison]
  private let listing: ComparisonReport.Listing
  private let lines: [Line]

  init(
    _ sections: [Comparison.Section?], _ comparisons: [Comparison],
    _ listing: ComparisonReport.Listing
  ) {
    (self.sections, self.comparisons, self.listing) = (sections, comparisons, listing)
    lines = Self.lines(sections) { listing == .everything || $0.areListed.contains(true) }
  }

  /// The figures of a topology and a metric, and their texts, made once for all columns.
  private struct Line {
    let topology: String
    let metric: Metric
    /// One for each comparison. Nil if it lacks the figure.
    let figures: [Comparison.Figure?]
    let texts: [ComparisonFigures?]
    /// For each comparison, whether the figure is changed or undecided, and has its own place.
    let areListed: [Bool]

    /// - Parameter areOpen: for each comparison, whether blocked time is undecided.
    init(
      _ topology: String, _ metric: Metric, _ figures: [Comparison.Figure?], areOpen: [Bool]
    ) {
      (self.topology, self.metric, self.figures) = (topology, metric, figures)
      texts = figures.map { $0.map(ComparisonFigures.init) }
      areListed = zip(figures, areOpen).map { figure, isOpen in
        figure.map { !$0.isSame && !(isOpen && $0.isUndecidable) } ?? false
      }
    }

    /// Exact counts other than statements are lines below the table.
    var isRow: Bool {
      !metric.isIndependentOfScheduling || metric == Question.change.statements
    }

    /// The gravest.
    var verdict: Direction {
      let verdicts = Set(figures.compactMap { $0?.verdict })
      return ComparisonTable.grades.joined().first(where: verdicts.contains) ?? .same
    }
  }

  private static let grades: [[Direction]] = [
    [.worse], [.better, .differs], [.inconclusive], [.same],
  ]

  private static func lines(
    _ sections: [Comparison.Section?], isListed: (Line) -> Bool
  ) -> [Line] {
    let names = sections.flatMap { $0?.topologies.map(\.name) ?? [] }.unique
    return names.flatMap { name in
      let all = sections.map { $0?.topologies.first { $0.name == name }?.figures ?? [] }
      let areOpen = all.map { figures in
        figures.contains { $0.metric.isBlocked && $0.verdict == .inconclusive }
      }
      return all.joined().map(\.metric).unique.compactMap { metric in
        let figures = all.map { $0.first { $0.metric == metric } }
        let line = Line(name, metric, figures, areOpen: areOpen)
        return isListed(line) ? line : nil
      }
    }
  }

  var table: Table {
    let rows = lines.filter { listing == .everything || $0.isRow }
    var table = Table(
      rows, columns, group: { $0.topology.brief },
      isEmphasised: { comparisons.count == 1 && $0.verdict.isChange },
      importance: { Table.Importance($0.verdict, of: Self.grades) })
    table.groupHeading = "topology"
    return table
  }

  private var columns: [ValueColumn<Line>] {
    let names = ComparisonSentences.names(comparisons)
    let baseline = Self.median("baseline") { line in
      let index = line.figures.firstIndex { $0 != nil } ?? 0
      return (line.figures[index]?.baseline, line.texts[index]?.baseline)
    }
    let sides = names.enumerated().flatMap { index, name in
      [
        Self.median(name) { ($0.figures[index]?.candidate, $0.texts[index]?.candidate) },
        ValueColumn("change", "", .figure, stays: true) {
          $0.texts[index]?.change ?? Table.missing
        },
        ValueColumn("verdict", "", .label, stays: true) {
          $0.figures[index]?.verdict.rawValue ?? Table.missing
        },
      ]
    }
    return [.leading("metric", .code) { $0.metric.name }, baseline] + sides
      + (comparisons.count == 1 ? intervals : [])
  }

  private static func median(
    _ heading: String, _ value: @escaping @Sendable (Line) -> (Estimate?, String?)
  ) -> ValueColumn<Line> {
    ValueColumn(column: Table.Column(heading: heading, kind: .figure)) { line in
      let (estimate, text) = value(line)
      return Table.Cell(estimate?.median) { _ in text ?? Table.missing }
    }
  }

  /// The interval of the change. The estimate itself is shown for pairs, where it can differ most
  /// from the change of the medians, and in a full list.
  private var intervals: [ValueColumn<Line>] {
    func interval(
      _ heading: String, stays: Bool = true,
      _ text: @escaping @Sendable (ComparisonFigures) -> String
    ) -> ValueColumn<Line> {
      ValueColumn("95 % interval", heading, .figure, stays: stays) {
        $0.texts[0].map(text) ?? Table.missing
      }
    }
    if listing == .changes, comparisons[0].pairing == .unpaired {
      return [interval("of all trials", stays: false) { $0.changeInterval }]
    }
    let estimate = interval(comparisons[0].pairing.estimateHeading, stays: false) { $0.estimate }
    return [estimate]
      + (listing == .changes
        ? []
        : [
          interval("of baseline") { $0.baselineInterval },
          interval("of candidate") { $0.candidateInterval },
        ])
  }

  /// Changed and undecided exact counts that have no row.
  var counts: [String] {
    guard listing == .changes else { return [] }
    let names = ComparisonSentences.names(comparisons)
    let counts = lines.filter { !$0.isRow }.grouped(by: \.topology)
    return counts.flatMap { topology, lines in
      names.indices.compactMap { index in
        let texts = lines.compactMap { line -> String? in
          guard line.areListed[index], let figure = line.figures[index],
            let text = line.texts[index]
          else { return nil }
          return "\(line.metric.name) \(text.baseline) → \(text.candidate)"
            + " (\(figure.verdict.rawValue))"
        }
        let report = comparisons.count == 1 ? "" : " in \(names[index])"
        return texts.isEmpty
          ? nil
          : "Counts of \(topology.brief)\(report): "
            + texts.joined(separator: ", ") + "."
      }
    }
  }
}

extension Comparison.Figure {
  /// Whether too few trials leave the row out where blocked time is undecided too: its row
  /// represents all undecided metrics. A count that differs is always listed.
  fileprivate var isUndecidable: Bool {
    guard hasTooFewTrials, !metric.isBlocked else { return false }
    return !metric.isIndependentOfScheduling || baseline.median == candidate.median
  }
}

extension Pairing {
  /// `12 pairs`, `12 trials a side`
  func counted(_ count: Int) -> String {
    switch self {
    case .paired: Figures.counted(count, "pair")
    case .unpaired: "\(Figures.counted(count, "trial")) a side"
    }
  }

  var estimateHeading: String {
    switch self {
    case .paired: "within pairs"
    case .unpaired: "over all trials"
    }
  }
}
