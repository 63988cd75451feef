import Judging
import Measurement

/// One figure over the runs of a scenario: a line for each topology.
struct HistoryDrawing {
  let id: String
  let measure: Measure
  let runs: [RunMedians]
  private let names: [String]
  private let axis: Axis
  private let right: Double

  private static let (top, bottom, left) = (14.0, 194.0, 12.0)

  init(id: String, measure: Measure, runs: [RunMedians]) {
    (self.id, self.measure, self.runs) = (id, measure, runs)
    let estimates = runs.flatMap { $0.estimates.filter { $0.key.measure == measure } }
    names = Set(estimates.map(\.key.series)).sorted()
    right = NamedLines.right(of: names)
    axis = .linear(to: estimates.map(\.value.median).max() ?? 0, measure.unit)
  }

  var figure: Figure {
    Figure(
      id: id, heading: measure.name, caption: measure.unit,
      drawing: Document.Drawing(description: description, html: svg), table: table)
  }

  private var description: String {
    "\(measure.name), \(Sentences.counted(names.count, "line")) over "
      + "\(Sentences.counted(runs.count, "run")), from \(commit(0)) to \(commit(runs.count - 1))"
  }

  private func commit(_ index: Int) -> String { PageText.brief(runs[index].commit, most: 12) }

  private var table: Table {
    let columns = names.map { name in
      ValueColumn<RunMedians>(Table.Column(heading: PageText.brief(name))) { [measure] run in
        Table.Cell(run.median(measure, of: name))
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
    Shape.chart(
      id: id, title: measure.name, description: description, height: Self.bottom + 24
    ) {
      tag("g", ["aria-hidden": "true"]) {
        for tick in axis.ticks {
          let y = down(tick)
          Shape.line(
            .init(x: 0, y: y), .init(x: right, y: y), tick == axis.lower ? "axis" : "grid")
          Shape.text(Axis.label(tick), .init(x: 0, y: y - 3), "tick first")
        }
        for index in Set([0, runs.count - 1]).sorted() {
          Shape.text(commit(index), .init(x: across(index), y: Self.bottom + 17), "tick")
        }
      }
      lines
    }
  }

  private func across(_ index: Int) -> Double {
    Self.left + (right - Self.left) * Double(index) / Double(max(1, runs.count - 1))
  }

  private func down(_ value: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * axis.percent(value) / 100
  }

  private var lines: HTML {
    let lines = names.map { name in
      let points = runs.enumerated().compactMap { index, run in
        run.median(measure, of: name).map { median in
          NamedLines.Point(
            at: .init(x: across(index), y: down(median)),
            title: "\(PageText.label(name)) at \(commit(index)): \(Figures.short(median))")
        }
      }
      return (name, points)
    }
    return NamedLines(lines: lines, radius: 2.5, right: right, heights: Self.top...Self.bottom).html
  }
}
