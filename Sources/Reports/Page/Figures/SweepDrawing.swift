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

  private static let top = 14.0
  private static let height = 240.0
  private static let (left, right) = (12.0, 64.0)

  private var names: [String] { sweep.topologies }

  private func median(_ name: String, _ point: SweepPoint) -> Double? {
    point.ranking.places.first { $0.name == name }?.median
  }

  private var medians: [Double] { sweep.points.flatMap { $0.ranking.places.map(\.median) } }

  /// The vertical axis. It is logarithmic if costs differ by more than a factor of 50.
  private var axis: Axis {
    let largest = medians.max() ?? 0
    let smallest = medians.filter { $0 > 0 }.min() ?? largest
    guard smallest > 0, largest > 50 * smallest else { return .linear(to: largest, "ms") }
    return .logarithmic(from: smallest, to: largest, "ms, each step ten times as much")
  }

  var drawing: Document.Drawing {
    let axis = axis
    let svg = Marks.chart(
      id: id, title: "Cost over \(PageText.brief(sweep.field))", description: description,
      height: Self.top + Self.height + 44
    ) {
      grid(axis)
      names.indices.map { line($0, axis) }
      labels(axis)
    }
    return Document.Drawing(description: description, html: svg)
  }

  private var description: String { PageText.sentences(Sentences.crossovers(sweep)) }

  // MARK: The plane

  private func across(_ index: Int) -> Double {
    let steps = Double(max(1, sweep.points.count - 1))
    return Self.left + 2 + (Self.right - Self.left - 4) * Double(index) / steps
  }

  private func percent(_ index: Int) -> String { "\(Coordinate.text(across(index)))%" }

  private func up(_ value: Double, _ axis: Axis) -> Double {
    Self.top + Self.height * (1 - axis.percent(value) / 100)
  }

  private func grid(_ axis: Axis) -> HTML {
    let bottom = Self.top + Self.height
    return tag("g", ["aria-hidden": "true"]) {
      for crossover in sweep.crossovers { band(crossover) }
      for tick in axis.ticks {
        HTML.void(
          "line",
          [
            "class": tick == axis.lower ? "axis" : "grid", "x1": "0", "x2": "\(Int(Self.right))%",
            "y1": Coordinate.text(up(tick, axis)), "y2": Coordinate.text(up(tick, axis)),
          ])
        tag("text", ["class": "tick first", "x": "0", "y": Coordinate.text(up(tick, axis) - 3)]) {
          tick == axis.ticks.last ? "\(Axis.label(tick)) \(axis.title)" : Axis.label(tick)
        }
      }
      for (index, point) in sweep.points.enumerated() {
        tag(
          "text", ["class": "tick", "x": percent(index), "y": Coordinate.text(bottom + 17)]
        ) { PageText.brief(point.value.text, most: 12) }
      }
      tag(
        "text",
        ["class": "axis-title", "x": "\(Int(Self.right))%", "y": Coordinate.text(bottom + 36)]
      ) { PageText.label(sweep.field) }
    }
  }

  private func band(_ crossover: Crossover) -> HTML {
    guard let from = sweep.points.firstIndex(where: { $0.value == crossover.from }),
      let to = sweep.points.firstIndex(where: { $0.value == crossover.to })
    else { return .nothing }
    return .void(
      "rect",
      [
        "class": "crossing", "x": percent(from), "y": Coordinate.text(Self.top),
        "width": "\(Coordinate.text(across(to) - across(from)))%",
        "height": Coordinate.text(Self.height),
      ])
  }

  // MARK: Lines

  private func line(_ index: Int, _ axis: Axis) -> HTML {
    let name = names[index]
    let points = sweep.points.enumerated().compactMap { place, point in
      median(name, point).map { (place, $0) }
    }
    return tag("g", ["class": "series series-\(index % 8)\(index >= 8 ? " dashed" : "")"]) {
      for (before, after) in zip(points, points.dropFirst()) {
        HTML.void(
          "line",
          [
            "x1": percent(before.0), "x2": percent(after.0),
            "y1": Coordinate.text(up(before.1, axis)), "y2": Coordinate.text(up(after.1, axis)),
          ])
      }
      for (place, value) in points {
        tag(
          "circle",
          ["cx": percent(place), "cy": Coordinate.text(up(value, axis)), "r": "4"]
        ) {
          tag("title") {
            "\(PageText.label(name)) at \(PageText.label(sweep.points[place].value.text)): "
              + PageText.milliseconds(value)
          }
        }
      }
    }
  }

  /// Names of lines that end close together, moved apart.
  private func labels(_ axis: Axis) -> HTML {
    let ends = names.enumerated().compactMap { index, name -> (Int, Double, Int)? in
      guard let place = sweep.points.lastIndex(where: { median(name, $0) != nil }),
        let value = median(name, sweep.points[place])
      else { return nil }
      return (index, up(value, axis), place)
    }.sorted { $0.1 < $1.1 }
    let heights = Self.apart(ends.map(\.1), by: 15, within: Self.top...Self.top + Self.height)
    return .joined(
      zip(ends, heights).map { end, y in
        tag("g", ["class": "series series-\(end.0 % 8)\(end.0 >= 8 ? " dashed" : "")"]) {
          HTML.void(
            "line",
            [
              "class": "leader", "x1": percent(end.2), "x2": "\(Int(Self.right) + 3)%",
              "y1": Coordinate.text(end.1), "y2": Coordinate.text(y),
            ])
          tag(
            "text",
            ["class": "end", "x": "\(Int(Self.right) + 4)%", "y": Coordinate.text(y + 4)]
          ) { PageText.brief(names[end.0], most: 20) }
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
