import Judging
import Measurement

/// Marks in SVG. Positions are percent, so that they follow the width of their column.
struct HTMLMarks {
  let axis: Axis

  /// A row of a chart. Its text describes it to a screen reader.
  func row(_ cell: Table.Cell) -> HTML {
    guard !cell.marks.isEmpty else { return HTML(cell.text) }
    return svg(label: cell.text) {
      axis.ticks.map { line($0, 0, 100, $0 == axis.lower ? "axis" : "grid") }
      axis.limits.map { line($0.value, 0, 100, "limit") }
      cell.marks.map(mark)
    }
  }

  /// Labels of the ticks and, below them, of the limits. A narrow page shows every other one.
  var foot: HTML {
    svg(style: axis.limits.isEmpty ? "marks" : "marks tall") {
      for (index, tick) in axis.ticks.enumerated() {
        text(Axis.label(tick), tick, index.isMultiple(of: 2) ? "tick" : "tick wide", y: 12)
      }
      for (index, limit) in axis.limits.enumerated() where isApart(index) {
        text(
          Axis.label((limit.value * 10).rounded() / 10), limit.value,
          index == 1 ? "tick over wide" : "tick over", y: 26)
      }
    }
  }

  /// Whether a limit's label does not touch the next one. The highest limit always has its label.
  private func isApart(_ index: Int) -> Bool {
    axis.limits.dropFirst(index + 1).allSatisfy {
      axis.percent($0.value) - axis.percent(axis.limits[index].value) > 12
    }
  }

  private func mark(_ mark: Mark) -> HTML {
    switch mark {
    case .dot(let value, let style, let down, let title):
      tag(
        "circle",
        ["class": "dot\(style.suffix)", "cx": x(value), "cy": Self.percent(down)]
      ) { tag("title") { title } }
    case .shape(let shape, let value, let down, let title): self.shape(shape, value, down, title)
    case .median(let value): line(value, 4, 96, "median")
    case .span(let from, let to):
      .void(
        "line", ["class": "span", "x1": x(from), "x2": x(to), "y1": "50%", "y2": "50%"])
    case .bar(let from, let to, let style, let title):
      tag(
        "rect",
        [
          "class": "bar\(style.suffix)", "x": x(from), "y": "22%", "height": "56%",
          "width": Self.percent(max(0, axis.percent(to) - axis.percent(from))),
        ]
      ) { tag("title") { title } }
    case .strip(let sample): strip(sample)
    }
  }

  /// A path cannot have a position in percent; an inner `svg` can.
  private func shape(_ shape: Mark.Shape, _ value: Double, _ down: Double, _ title: String) -> HTML
  {
    tag("svg", ["x": x(value), "y": Self.percent(down), "overflow": "visible"]) {
      tag("path", ["class": "shape", "d": shape.rawValue]) { tag("title") { title } }
    }
  }

  private func strip(_ sample: WindowSample) -> HTML {
    let strip = Strip(sample.gaps, upper: axis.upper)
    return .joined([
      .void("rect", ["class": "idle", "y": "4%", "width": x(sample.total), "height": "58%"]),
      tag(
        "svg",
        [
          "y": "4%", "width": "100%", "height": "58%", "preserveAspectRatio": "none",
          "viewBox": "0 0 \(Strip.columns) 20",
        ]
      ) {
        for use in MainUse.allCases {
          strip.paths[use].map { path in
            tag("path", ["class": use.style, "d": path]) {
              tag("title") { sample.words(of: use) ?? "" }
            }
          } ?? .nothing
        }
      },
    ])
  }

  private func line(_ value: Double, _ top: Double, _ bottom: Double, _ style: String) -> HTML {
    .void(
      "line",
      [
        "class": style, "x1": x(value), "x2": x(value), "y1": Self.percent(top),
        "y2": Self.percent(bottom),
      ])
  }

  /// Stays inside the column.
  private func text(_ text: String, _ value: Double, _ style: String, y: Int) -> HTML {
    let percent = axis.percent(value)
    // Half of a label's width, in percent of the narrowest column.
    let half = text.count > 3 ? 9.0 : 6
    let end = percent < half / 2 ? " first" : percent > 100 - half ? " last" : ""
    return tag("text", ["class": style + end, "x": x(value), "y": "\(y)"]) { text }
  }

  private func svg(
    label: String? = nil, style: String = "marks", @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": style, "width": "100%",
        "role": label.map { _ in "img" }, "aria-label": label,
      ], content)
  }

  private func x(_ value: Double) -> String { Self.percent(axis.percent(value)) }

  private static func percent(_ value: Double) -> String {
    "\(DecimalText.text(value, digits: 2) ?? "0")%"
  }
}

extension WindowSample {
  /// `merging and updating the list: 1 gap, 20.0 ms`; nil without such a gap.
  func words(of use: MainUse) -> String? {
    let gaps = gaps.filter { MainUse(cause: $0.cause) == use }
    return gaps.isEmpty
      ? nil
      : "\(use.inTimeline): \(Figures.counted(gaps.count, "gap")), "
        + Figures.milliseconds(gaps.reduce(0) { $0 + $1.duration })
  }
}
