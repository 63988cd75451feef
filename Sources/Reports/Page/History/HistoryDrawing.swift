import Judging
import Measurement

/// One figure over the runs of a scenario: a line for each topology, with its name at the end.
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
    right = SweepDrawing.right(of: names)
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
      names.indices.map(line)
      labels
    }
  }

  private func across(_ index: Int) -> Double {
    Self.left + (right - Self.left) * Double(index) / Double(max(1, runs.count - 1))
  }

  private func down(_ value: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * axis.percent(value) / 100
  }

  private func series(_ index: Int) -> String {
    "series series-\(index % 8)\(index >= 8 ? " dashed" : "")"
  }

  private func points(_ index: Int) -> [(run: RunMedians, median: Double, at: Shape.Position)] {
    runs.enumerated().compactMap { place, run in
      run.median(measure, of: names[index]).map { (run, $0, .init(x: across(place), y: down($0))) }
    }
  }

  private func line(_ index: Int) -> HTML {
    let points = points(index)
    return tag("g", ["class": series(index)]) {
      zip(points, points.dropFirst()).map { Shape.line($0.at, $1.at) }
      for point in points {
        Shape.dot(
          point.at, radius: 2.5,
          "\(PageText.label(names[index])) at \(PageText.brief(point.run.commit, most: 12)): "
            + Figures.short(point.median))
      }
    }
  }

  private var labels: HTML {
    let ends = names.indices.compactMap { index in points(index).last.map { (index, $0.at) } }
      .sorted { $0.1.y < $1.1.y }
    let heights = SweepDrawing.apart(ends.map(\.1.y), by: 15, within: Self.top...Self.bottom)
    return .joined(
      zip(ends, heights).map { end, y in
        tag("g", ["class": series(end.0)]) {
          Shape.line(end.1, .init(x: right + 2, y: y), "leader")
          Shape.text(
            PageText.brief(names[end.0], most: 20), .init(x: right + 3, y: y + 4), "end")
        }
      })
  }
}
