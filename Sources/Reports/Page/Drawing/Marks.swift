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

  enum Milestone: String {
    case durable = "M0 -5L5 0L0 5L-5 0z"
    case visible = "M-5 -4H5L0 5z"
  }

  /// A small shape at an instant in ms, if that is known.
  func milestone(_ shape: Milestone, at time: Double?, _ words: String, y: Double) -> HTML {
    guard let time else { return .nothing }
    // A path cannot have a position in percent; an inner `svg` can.
    return tag(
      "svg",
      ["x": axis.place(time), "y": Coordinate.text(y), "overflow": "visible", "class": "at"]
    ) {
      tag("path", ["class": "milestone", "d": shape.rawValue]) {
        tag("title") { "\(words) \(PageText.milliseconds(time))" }
      }
    }
  }

  func text(_ text: String, at value: Double, y: Double, _ style: String) -> HTML {
    tag("text", ["class": style, "x": axis.place(value), "y": Coordinate.text(y)]) { text }
  }
}

// MARK: - Canvases

extension Marks {
  /// An image with a title and a description for a screen reader.
  static func chart(
    id: String, title: String, description: String, height: Double, upper: Double? = nil,
    @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": "chart", "role": "img",
        "aria-labelledby": "\(id)-title \(id)-desc", "width": "100%",
        "height": Coordinate.text(height), "data-upper": upper.map(PageText.exact),
      ]
    ) {
      tag("title", ["id": "\(id)-title"]) { title }
      tag("desc", ["id": "\(id)-desc"]) { description }
      content()
    }
  }

  /// A part of a chart with coordinates of its own, which stretches with the page's width.
  static func stretched(
    y: Double, size: (width: Double, height: Double), @HTMLBuilder _ content: () -> HTML
  ) -> HTML {
    let (width, height) = (Coordinate.text(size.width), Coordinate.text(size.height))
    return tag(
      "svg",
      [
        "x": "0", "y": Coordinate.text(y), "width": "100%", "height": height,
        "viewBox": "0 0 \(width) \(height)", "preserveAspectRatio": "none",
      ], content)
  }
}
