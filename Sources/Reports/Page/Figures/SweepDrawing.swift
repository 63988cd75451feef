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
  private let chart: NamedLines

  private static let bottom = 254.0

  init(id: String, sweep: Sweep) {
    (self.id, self.sweep) = (id, sweep)
    chart = NamedLines(
      names: sweep.topologies.map(sweep.label),
      axis: Self.axis(sweep.points.flatMap { $0.ranking.places.map(\.median) }),
      places: Self.places(sweep.points.map(\.value)), bottom: Self.bottom, radius: 4, margin: 2)
  }

  /// Logarithmic if costs differ by more than a factor of 50.
  private static func axis(_ medians: [Double]) -> Axis {
    let largest = medians.max() ?? 0
    let smallest = medians.filter { $0 > 0 }.min() ?? largest
    guard smallest > 0, largest > 50 * smallest else { return .linear(to: largest, "ms") }
    return .logarithmic(from: smallest, to: largest, "ms")
  }

  var legend: String? { chart.axis.isLogarithmic ? "Each step up is ten times as much." : nil }

  var drawing: Document.Drawing {
    let description = PageText.sentences(Phrases.crossovers(sweep))
    let svg = Shape.chart(
      id: id, title: "Cost over \(PageText.brief(sweep.field))", description: description,
      height: Self.bottom + 44
    ) {
      grid
      chart.lines { name, column in
        let point = sweep.points[column]
        return point.ranking.places.first { sweep.label($0.name) == name }.map { place in
          (
            place.median,
            "\(PageText.label(name)) at \(PageText.label(point.value.text)): "
              + Figures.milliseconds(place.median)
          )
        }
      }
    }
    return Document.Drawing(description: description, html: svg)
  }

  // MARK: The plane

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

  private var grid: HTML {
    tag("g", ["aria-hidden": "true"]) {
      sweep.crossovers.map(band)
      let axis = chart.axis
      for tick in axis.ticks {
        let label = Axis.label(tick)
        chart.tick(tick, tick == axis.ticks.last ? "\(label) \(axis.title) ↑" : label)
      }
      let values = sweep.points.map { PageText.brief($0.value.label, most: 12) }
      Self.labelled(values, at: values.indices.map(chart.across)).map {
        chart.label(values[$0], $0)
      }
      Shape.text(
        "\(PageText.brief(PageText.label(sweep.field), most: 25)) →",
        .init(x: chart.right, y: Self.bottom + 36), "axis-title")
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
      .init(x: chart.across(from), y: NamedLines.top),
      width: chart.across(to) - chart.across(from), height: Self.bottom - NamedLines.top,
      "crossing")
  }
}
