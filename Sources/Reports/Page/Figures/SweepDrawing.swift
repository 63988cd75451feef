import Foundation
import Judging

// Cost over one swept field. Each line has its name at its end:
//
//   40 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄╲░░░░░░
//                       ░╲░░░░    ── main-only
//   20 ┄┄┄●━━━━━━━━━━━━━░░●━━━    ── parent-child          ░ a change of the order
//   0  ───────────────────────
//        50    500    all

struct SweepDrawing {
  let id: String
  let sweep: Sweep
  private let names: [String]
  private let axis: Axis

  private static let top = 14.0
  private static let bottom = 254.0
  private static let left = 10.0
  /// Percent of the width; names stand at its right.
  private let right: Double
  private let places: [Double]

  init(id: String, sweep: Sweep) {
    (self.id, self.sweep) = (id, sweep)
    names = sweep.topologies
    right = NamedLines.right(of: names)
    places = Self.places(sweep.points.map(\.value))
    axis = Self.axis(sweep.points.flatMap { $0.ranking.places.map(\.median) })
  }

  /// Logarithmic if costs differ by more than a factor of 50.
  private static func axis(_ medians: [Double]) -> Axis {
    let largest = medians.max() ?? 0
    let smallest = medians.filter { $0 > 0 }.min() ?? largest
    guard smallest > 0, largest > 50 * smallest else { return .linear(to: largest, "ms") }
    return .logarithmic(from: smallest, to: largest, "ms")
  }

  var legend: String? { axis.isLogarithmic ? "Each step up is ten times as much." : nil }

  var drawing: Document.Drawing {
    let description = PageText.sentences(Sentences.crossovers(sweep))
    let svg = Shape.chart(
      id: id, title: "Cost over \(PageText.brief(sweep.field))", description: description,
      height: Self.bottom + 44
    ) {
      grid
      lines
    }
    return Document.Drawing(description: description, html: svg)
  }

  // MARK: The plane

  private func across(_ index: Int) -> Double {
    Self.left + 2 + (right - Self.left - 4) * places[index]
  }

  /// From 0 to 1. The axis of numbers is logarithmic if the largest is more than 20 times the
  /// smallest; zero is then a step left of it. Words, which mean no limit, are right of the axis.
  static func places(_ values: [SweptValue]) -> [Double] {
    let numbers = values.compactMap(\.number)
    let positive = numbers.filter { $0 > 0 }
    let (least, most) = (positive.min() ?? 1, positive.max() ?? 1)
    let isLogarithmic = numbers.allSatisfy { $0 >= 0 } && most > 20 * least
    let scaled = numbers.map { isLogarithmic ? ($0 > 0 ? log10($0) : nil) : $0 }
    let ends = (low: scaled.compactMap { $0 }.min() ?? 0, high: scaled.compactMap { $0 }.max() ?? 0)
    let step = max(ends.high - ends.low, 1e-9) / Double(max(1, numbers.count - 1))
    var words = 0.0
    let raw = values.indices.map { index -> Double in
      guard index < numbers.count else {
        words += 1
        return ends.high + step * words
      }
      return scaled[index] ?? ends.low - step
    }
    let (first, last) = (raw.min() ?? 0, raw.max() ?? 0)
    return raw.map { last > first ? ($0 - first) / (last - first) : 0 }
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
        let words = tick == axis.ticks.last ? "\(label) \(axis.title) ↑" : label
        Shape.line(
          .init(x: 0, y: y), .init(x: right, y: y), tick == axis.lower ? "axis" : "grid")
        Shape.text(words, .init(x: 0, y: y - 3), "tick first")
      }
      let values = sweep.points.map { PageText.brief($0.value.label, most: 12) }
      for index in Self.labelled(values, at: values.indices.map(across)) {
        Shape.text(values[index], .init(x: across(index), y: Self.bottom + 17), "tick")
      }
      Shape.text(
        "\(PageText.brief(PageText.label(sweep.field), most: 25)) →",
        .init(x: right, y: Self.bottom + 36), "axis-title")
    }
  }

  /// Labels that do not touch, also on a phone: those at both ends, and from the left those with
  /// room.
  static func labelled(_ labels: [String], at places: [Double]) -> [Int] {
    let last = labels.count - 1
    func areApart(_ left: Int, _ right: Int) -> Bool {
      // A digit takes 2 % of a phone's width, and labels are centred.
      let room = Double(labels[left].columns + labels[right].columns) + 1
      return places[right] - places[left] >= room
    }
    return labels.indices.reduce(into: []) { shown, index in
      let isApart = shown.last.map { areApart($0, index) } ?? true
      if index == last || (isApart && (shown.isEmpty || areApart(index, last))) {
        shown.append(index)
      }
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

  private var lines: HTML {
    let lines = names.map { name in
      let points = sweep.points.enumerated().compactMap { index, point in
        point.ranking.places.first { $0.name == name }.map { place in
          NamedLines.Point(
            at: .init(x: across(index), y: down(place.median)),
            title: "\(PageText.label(name)) at \(PageText.label(point.value.text)): "
              + PageText.milliseconds(place.median))
        }
      }
      return (name, points)
    }
    return NamedLines(lines: lines, radius: 4, right: right, heights: Self.top...Self.bottom).html
  }
}
