package import Judging
import Measurement

/// Figures over commits. Tools that read `topobench export` find the commits that changed them.
package struct HistoryPage {
  private let scenarios: [(name: String, runs: [RunMedians])]

  /// - Parameter runs: oldest first.
  package init(_ runs: [RunMedians]) {
    scenarios = runs.grouped { "\($0.scenario)\($0.isCounted ? ", counted" : "")" }
      .map { ($0.key, $0.elements) }
  }

  package var html: String {
    HTMLPage(
      kicker: "Medians of each run, oldest first", heading: "Figures over commits", parts: parts
    ).html
  }

  private var parts: [Document.Block] {
    scenarios.enumerated().map { index, scenario in
      let measures = Set(scenario.runs.flatMap(\.estimates.keys).map(\.measure)).sorted()
      return .section(
        PageText.title(scenario.name),
        [
          .paragraph(
            "\(Figures.counted(scenario.runs.count, "run")), equally far apart. Each row has its own "
              + "scale, from its lowest value to its highest. A hollow dot is not known to be of the "
              + "same machine as the run before.", .legend)
        ]
          + measures.map { measure in
            var table = Table(history: scenario.runs, of: measure)
            table.id = "h\(index + 1)-\(measure.name)-table"
            return .section(
              measure.name, [.table(table)], Document.Place(kind: .figure))
          }, Document.Place(kind: .part, id: "h\(index + 1)"))
    }
  }
}

extension Table {
  /// A row for each series: a dot for each run, higher for a higher value.
  init(history runs: [RunMedians], of measure: Measure) {
    let names = runs.flatMap(\.estimates.keys).filter { $0.measure == measure }.map(\.series)
    let axis = Axis(lower: 0, upper: Double(max(1, runs.count - 1)), ticks: [])
    let ends = [runs.first, runs.last].map { PageText.brief($0?.commit ?? "", most: 12) }
    self.init(
      Set(names).sorted().map { Series(name: $0, measure: measure, runs: runs) },
      [
        .leading("topology", .heading) { PageText.title($0.name) },
        .marks(
          ends.joined(separator: " to "), axis,
          text: { Figures.counted($0.points.count, "run") }, \.marks),
        Series.column("first") { $0.first }, Series.column("lowest") { $0.min() },
        Series.column("highest") { $0.max() }, Series.column("last") { $0.last },
      ], caption: "Medians, \(measure.unit).")
  }
}

private struct Series: Sendable {
  let name: String
  private let measure: Measure
  let points: [(run: Int, commit: String, value: Double)]
  /// Indexes of runs that are not known to be of the same machine as the run before.
  private let changes: Set<Int>

  init(name: String, measure: Measure, runs: [RunMedians]) {
    (self.name, self.measure) = (name, measure)
    changes = Set(runs.indices.dropFirst().filter { !runs[$0].isOfMachine(runs[$0 - 1]) })
    points = runs.enumerated().compactMap { index, run in
      run.median(measure, of: name).map { (index, PageText.brief(run.commit, most: 12), $0) }
    }
  }

  static func column(
    _ heading: String, _ pick: @escaping @Sendable ([Double]) -> Double?
  ) -> ValueColumn<Series> {
    ValueColumn(column: Table.Column(heading: heading)) { series in
      Table.Cell(pick(series.points.map(\.value)), series.text)
    }
  }

  private func text(_ value: Double) -> String { measure.text(value) }

  var marks: [Mark] {
    let values = points.map(\.value)
    guard let least = values.min(), let most = values.max() else { return [] }
    return points.map { run, commit, value in
      .dot(
        Double(run), changes.contains(run) ? .hollow : .solid,
        down: most > least ? 85 - 70 * (value - least) / (most - least) : 50,
        title: "\(PageText.title(name)) at \(commit): \(text(value))")
    }
  }
}
