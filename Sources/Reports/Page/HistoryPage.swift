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
    let body = HTML.joined([
      tag("a", ["class": "skip", "href": "#main"]) { "Skip to the figures" },
      tag("header") {
        tag("p", ["class": "kicker"]) { "Medians of each run, oldest first" }
        tag("h1") { "Figures over commits" }
      },
      tag("main", ["id": "main"]) { HTMLRenderer().elements(parts) },
      tag("footer") {
        tag("p") { "Made by topobench report. This page fetches nothing and runs no script." }
      },
    ])
    return HTMLRenderer.page(title: "Figures over commits — topobench", body: body)
  }

  private var parts: [Document.Block] {
    scenarios.enumerated().map { index, scenario in
      let measures = Set(scenario.runs.flatMap(\.estimates.keys).map(\.measure)).sorted()
      let drawings = measures.map { measure in
        HistoryDrawing(id: "h\(index + 1)-\(measure.name)", measure: measure, runs: scenario.runs)
      }
      return .section(
        PageText.title(scenario.name), .part, id: "h\(index + 1)",
        [
          .paragraph("\(Figures.counted(scenario.runs.count, "run")), equally far apart.", .legend),
          .section("", .multiples, drawings.map(\.figure.block)),
        ])
    }
  }
}

/// One figure over the runs of a scenario: a line for each topology.
struct HistoryDrawing {
  let id: String
  let measure: Measure
  let runs: [RunMedians]
  private let chart: NamedLines

  private static let bottom = 194.0

  init(id: String, measure: Measure, runs: [RunMedians]) {
    (self.id, self.measure, self.runs) = (id, measure, runs)
    let estimates = runs.flatMap { $0.estimates.filter { $0.key.measure == measure } }
    chart = NamedLines(
      names: Set(estimates.map(\.key.series)).sorted(),
      axis: .linear(to: estimates.map(\.value.median).max() ?? 0, measure.unit),
      places: runs.indices.map { Double($0) / Double(max(1, runs.count - 1)) },
      bottom: Self.bottom, radius: 2.5)
  }

  var figure: Figure {
    Figure(
      id: id, heading: measure.name, caption: measure.unit,
      drawing: Document.Drawing(description: description, html: svg), table: table)
  }

  private var description: String {
    "\(measure.name), \(Figures.counted(chart.names.count, "line")) over "
      + "\(Figures.counted(runs.count, "run")), from \(commit(0)) to \(commit(runs.count - 1))"
  }

  private func commit(_ index: Int) -> String { PageText.brief(runs[index].commit, most: 12) }

  private var table: Table {
    let columns = chart.names.map { name in
      ValueColumn<RunMedians>.number(PageText.brief(name), measure.text) { [measure] in
        $0.median(measure, of: name)
      }
    }
    return Table(
      runs,
      [
        .leading("commit") { PageText.brief($0.commit, most: 20) },
        .leading("time") { PageText.brief($0.startedAt, most: 20) },
      ] + columns)
  }

  // MARK: The chart

  private var svg: HTML {
    Shape.chart(id: id, title: measure.name, description: description, height: Self.bottom + 24) {
      tag("g", ["aria-hidden": "true"]) {
        chart.axis.ticks.map { chart.tick($0, Axis.label($0)) }
        Set([0, runs.count - 1]).sorted().map { chart.label(commit($0), $0) }
      }
      chart.lines { name, index in
        runs[index].median(measure, of: name).map { median in
          (median, "\(PageText.label(name)) at \(commit(index)): \(measure.text(median))")
        }
      }
    }
  }
}
