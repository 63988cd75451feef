/// The shapes of charts.
///
/// Across, positions are percentages, so that a chart is as wide as its page. Down, and in sizes,
/// they are pixels, so that text stays readable.
struct Marks: Sendable {
  let axis: Axis

  func dot(_ value: Double, y: Double, _ style: String, _ title: String) -> HTML {
    tag(
      "circle", ["class": style, "cx": axis.place(value), "cy": Coordinate.text(y), "r": "3.5"]
    ) { tag("title") { title } }
  }

  func bar(
    from: Double, to: Double, y: Double, height: Double, _ style: String, _ title: String
  ) -> HTML {
    let width = max(0, axis.percent(to) - axis.percent(from))
    return tag(
      "rect",
      [
        "class": style, "x": axis.place(from), "y": Coordinate.text(y),
        "width": "\(Coordinate.text(width))%", "height": Coordinate.text(height),
      ]
    ) { tag("title") { title } }
  }

  func stroke(_ value: Double, from top: Double, to bottom: Double, _ style: String) -> HTML {
    .void(
      "line",
      [
        "class": style, "x1": axis.place(value), "x2": axis.place(value),
        "y1": Coordinate.text(top), "y2": Coordinate.text(bottom),
      ])
  }

  func span(from: Double, to: Double, y: Double, _ style: String) -> HTML {
    .void(
      "line",
      [
        "class": style, "x1": axis.place(from), "x2": axis.place(to), "y1": Coordinate.text(y),
        "y2": Coordinate.text(y),
      ])
  }

  /// A small shape at a value. `path` is drawn around zero.
  func glyph(
    _ path: StaticString, at value: Double, y: Double, _ style: String, _ title: String
  ) -> HTML {
    // A path cannot have a position in percent; an inner `svg` can.
    tag(
      "svg",
      ["x": axis.place(value), "y": Coordinate.text(y), "overflow": "visible", "class": "at"]
    ) {
      tag("path", ["class": style, "d": "\(path)"]) { tag("title") { title } }
    }
  }

  func text(_ text: String, at value: Double, y: Double, _ style: String) -> HTML {
    tag("text", ["class": style, "x": axis.place(value), "y": Coordinate.text(y)]) { text }
  }
}

enum Glyph {
  static let diamond: StaticString = "M0 -5L5 0L0 5L-5 0z"
  static let triangle: StaticString = "M-5 -4H5L0 5z"
  static let square: StaticString = "M-4 -4H4V4H-4z"
  static let cross: StaticString = "M-4 -4L4 4M4 -4L-4 4"
}
