import Judging

// Cost over one swept field. Values have equal distances, because some are words. Each line has its
// name at its end:
//
//   40 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╲░░░░░░
//                       ░╲░░░░    ── main-only
//   20 ┄┄┄●━━━━━━━━━━━━━░░●━━━    ── parent-child          ░ a change of the order
//   0  ───────────────────────
//        50    500    all

/// Blocked time of each topology over the values of a swept field.
struct SweepDrawing {
  let id: String
  let sweep: Sweep
  private let names: [String]
  private let axis: Axis

  private static let top = 14.0
  private static let bottom = 254.0
  private static let (left, right) = (12.0, 64.0)

  init(id: String, sweep: Sweep) {
    (self.id, self.sweep) = (id, sweep)
    names = sweep.topologies
    axis = Self.axis(sweep.points.flatMap { $0.ranking.places.map(\.median) })
  }

  /// The vertical axis. It is logarithmic if costs differ by more than a factor of 50.
  private static func axis(_ medians: [Double]) -> Axis {
    let largest = medians.max() ?? 0
    let smallest = medians.filter { $0 > 0 }.min() ?? largest
    guard smallest > 0, largest > 50 * smallest else { return .linear(to: largest, "ms") }
    return .logarithmic(from: smallest, to: largest, "ms, each step ten times as much")
  }

  var drawing: Document.Drawing {
    let description = PageText.sentences(Sentences.crossovers(sweep))
    let svg = Shape.chart(
      id: id, title: "Cost over \(PageText.brief(sweep.field))", description: description,
      height: Self.bottom + 44
    ) {
      grid
      names.indices.map(line)
      labels
    }
    return Document.Drawing(description: description, html: svg)
  }

  // MARK: The plane

  private func across(_ index: Int) -> Double {
    let steps = Double(max(1, sweep.points.count - 1))
    return Self.left + 2 + (Self.right - Self.left - 4) * Double(index) / steps
  }

  private func down(_ value: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * axis.percent(value) / 100
  }

  private var grid: HTML {
    tag("g", ["aria-hidden": "true"]) {
      sweep.crossovers.map(band)
      for tick in axis.ticks {
        let label = Axis.label(tick)
        let y = down(tick)
        let words = tick == axis.ticks.last ? "\(label) \(axis.title)" : label
        Shape.line(
          .init(x: 0, y: y), .init(x: Self.right, y: y), tick == axis.lower ? "axis" : "grid")
        Shape.text(words, .init(x: 0, y: y - 3), "tick first")
      }
      for (index, point) in sweep.points.enumerated() {
        let value = PageText.brief(point.value.text, most: 12)
        Shape.text(value, .init(x: across(index), y: Self.bottom + 17), "tick")
      }
      Shape.text(
        PageText.label(sweep.field), .init(x: Self.right, y: Self.bottom + 36), "axis-title")
    }
  }

  private func band(_ crossover: Crossover) -> HTML {
    guard let from = sweep.points.firstIndex(where: { $0.value == crossover.from }),
      let to = sweep.points.firstIndex(where: { $0.value == crossover.to })
    else { return .nothing }
    return Shape.bar(
      .init(x: across(from), y: Self.top), width: across(to) - across(from),
      height: Self.bottom - Self.top, "crossing")
  }

  // MARK: Lines

  private func series(_ index: Int) -> String {
    "series series-\(index % 8)\(index >= 8 ? " dashed" : "")"
  }

  private func points(_ index: Int) -> [(value: String, median: Double, at: Shape.Position)] {
    sweep.points.enumerated().compactMap { place, point in
      point.ranking.places.first { $0.name == names[index] }.map {
        (point.value.text, $0.median, .init(x: across(place), y: down($0.median)))
      }
    }
  }

  private func line(_ index: Int) -> HTML {
    let points = points(index)
    return tag("g", ["class": series(index)]) {
      zip(points, points.dropFirst()).map { Shape.line($0.at, $1.at) }
      for point in points {
        Shape.dot(
          point.at, radius: 4,
          "\(PageText.label(names[index])) at \(PageText.label(point.value)): "
            + PageText.milliseconds(point.median))
      }
    }
  }

  /// Names of lines that end close together, moved apart.
  private var labels: HTML {
    let ends = names.indices.compactMap { index in points(index).last.map { (index, $0.at) } }
      .sorted { $0.1.y < $1.1.y }
    let heights = Self.apart(ends.map(\.1.y), by: 15, within: Self.top...Self.bottom)
    return .joined(
      zip(ends, heights).map { end, y in
        tag("g", ["class": series(end.0)]) {
          Shape.line(end.1, .init(x: Self.right + 3, y: y), "leader")
          Shape.text(
            PageText.brief(names[end.0], most: 20), .init(x: Self.right + 4, y: y + 4), "end")
        }
      })
  }

  /// Sorted positions, moved down as far as needed, then back up from the end.
  static func apart(
    _ places: [Double], by distance: Double, within range: ClosedRange<Double>
  ) -> [Double] {
    var result = places
    for index in result.indices.dropFirst() {
      result[index] = max(result[index], result[index - 1] + distance)
    }
    var limit = range.upperBound
    for index in result.indices.reversed() {
      result[index] = min(result[index], limit)
      limit = result[index] - distance
    }
    return result
  }
}
