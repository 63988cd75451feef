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
          .paragraph(
            "\(Figures.counted(scenario.runs.count, "run")), equally far apart.", .legend),
          .section("", .multiples, drawings.map(\.figure.block)),
        ])
    }
  }
}
