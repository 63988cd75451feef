struct Marks: Sendable {
  let axis: Axis

  func position(_ value: Double, _ y: Double) -> Shape.Position {
    Shape.Position(x: axis.percent(value), y: y)
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
        tag("title") { "\(words) \(PageText.milliseconds(time))" }
      }
    }
  }
}
