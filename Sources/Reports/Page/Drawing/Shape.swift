import Judging

/// The shapes of charts.
///
/// Positions across are percent, so that a chart is as wide as its page. Heights and sizes are
/// pixels, so that text stays readable.
enum Shape {
  /// Percent across, and pixels down.
  struct Position {
    let x: Double
    let y: Double
    /// Whether `y` is percent too, because the style sheet sets the height.
    var isPercentDown = false

    fileprivate var down: String { isPercentDown ? Shape.percent(y) : Coordinate.text(y) }
  }

  static func percent(_ x: Double) -> String { "\(Coordinate.text(x))%" }

  static func line(_ from: Position, _ to: Position, _ style: String? = nil) -> HTML {
    .void(
      "line",
      [
        "class": style, "x1": percent(from.x), "x2": percent(to.x), "y1": from.down, "y2": to.down,
      ])
  }

  static func dot(
    _ center: Position, radius: Double, _ title: String, _ style: String? = nil
  ) -> HTML {
    tag(
      "circle",
      [
        "class": style, "cx": percent(center.x), "cy": center.down, "r": Coordinate.text(radius),
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
        "class": style, "x": percent(corner.x), "y": corner.down, "width": percent(width),
        "height": Coordinate.text(height),
      ]
    ) { title.map { title in tag("title") { title } } ?? .nothing }
  }

  static func text(_ text: String, _ position: Position, _ style: String) -> HTML {
    tag("text", ["class": style, "x": percent(position.x), "y": position.down]) { text }
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

struct Marks: Sendable {
  let axis: Axis
  var arePercentDown = false

  func position(_ value: Double, _ y: Double) -> Shape.Position {
    Shape.Position(x: axis.percent(value), y: y, isPercentDown: arePercentDown)
  }

  func dot(_ value: Double, y: Double, _ style: String, _ title: String) -> HTML {
    Shape.dot(position(value, y), radius: 3.5, title, style)
  }

  func bar(
    from: Double, to: Double, y: Double, height: Double, _ style: String, _ title: String
  ) -> HTML {
    let width = max(0, axis.percent(to) - axis.percent(from))
    return Shape.bar(position(from, y), width: width, height: height, style, title)
  }

  func stroke(_ value: Double, from top: Double, to bottom: Double, _ style: String) -> HTML {
    Shape.line(position(value, top), position(value, bottom), style)
  }

  func span(from: Double, to: Double, y: Double, _ style: String) -> HTML {
    Shape.line(position(from, y), position(to, y), style)
  }

  func text(_ text: String, at value: Double, y: Double, _ style: String) -> HTML {
    Shape.text(text, position(value, y), style)
  }

  enum Milestone: String {
    case durable = "M0 -5L5 0L0 5L-5 0z"
    case visible = "M-5 -4H5L0 5z"
  }

  /// A small shape at an instant in ms.
  func milestone(_ shape: Milestone, at time: Double?, _ words: String, y: Double) -> HTML {
    guard let time else { return .nothing }
    let x = Shape.percent(axis.percent(time))
    // A path cannot have a position in percent; an inner `svg` can.
    return tag("svg", ["x": x, "y": Coordinate.text(y), "overflow": "visible", "class": "at"]) {
      tag("path", ["class": "milestone", "d": shape.rawValue]) {
        tag("title") { "\(words) \(Figures.milliseconds(time))" }
      }
    }
  }
}
