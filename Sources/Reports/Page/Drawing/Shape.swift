/// The shapes of charts.
///
/// Positions across are percent, so that a chart is as wide as its page. Heights and sizes are
/// pixels, so that text stays readable.
enum Shape {
  /// Percent across, and pixels down.
  struct Position {
    let x: Double
    let y: Double
  }

  static func percent(_ x: Double) -> String { "\(Coordinate.text(x))%" }

  static func line(_ from: Position, _ to: Position, _ style: String? = nil) -> HTML {
    .void(
      "line",
      [
        "class": style, "x1": percent(from.x), "x2": percent(to.x), "y1": Coordinate.text(from.y),
        "y2": Coordinate.text(to.y),
      ])
  }

  static func dot(
    _ center: Position, radius: Double, _ title: String, _ style: String? = nil
  ) -> HTML {
    tag(
      "circle",
      [
        "class": style, "cx": percent(center.x), "cy": Coordinate.text(center.y),
        "r": Coordinate.text(radius),
      ]
    ) { tag("title") { title } }
  }

  /// - Parameter width: in percent.
  static func bar(
    _ corner: Position, width: Double, height: Double, _ style: String, _ title: String? = nil
  ) -> HTML {
    tag(
      "rect",
      [
        "class": style, "x": percent(corner.x), "y": Coordinate.text(corner.y),
        "width": percent(width), "height": Coordinate.text(height),
      ]
    ) { title.map { title in tag("title") { title } } ?? .nothing }
  }

  static func text(_ text: String, _ position: Position, _ style: String) -> HTML {
    tag("text", ["class": style, "x": percent(position.x), "y": Coordinate.text(position.y)]) {
      text
    }
  }

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

  /// A part with its own coordinates, which stretches with the page's width.
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
