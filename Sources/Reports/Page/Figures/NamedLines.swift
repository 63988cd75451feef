/// The lines of a chart, each with its name at its end.
///
/// Names that would overlap are moved apart, and thin lines lead to them. Positions are percent of
/// the width and pixels of the height.
struct NamedLines {
  struct Point {
    let at: Shape.Position
    /// Shown where the pointer rests on the dot.
    let title: String
  }

  /// A line without points keeps its colour.
  let lines: [(name: String, points: [Point])]
  /// Of the dots, in pixels.
  let radius: Double
  /// Where the chart ends and names begin.
  let right: Double
  /// The pixels between which names stand.
  let heights: ClosedRange<Double>

  /// Leaves room for names of at most 20 letters, also on a phone.
  static func right(of names: [String]) -> Double {
    let longest = names.map { PageText.brief($0, most: 20).count }.max() ?? 0
    return min(85, max(50, 97 - Double(longest) * 2.1))
  }

  var html: HTML { .joined(lines.indices.map(line) + names) }

  /// Only the seven colours of solid marks: they differ most for every reader.
  private func style(_ index: Int) -> String {
    "series series-\(index % 7)\(index >= 7 ? " dashed" : "")"
  }

  private func line(_ index: Int) -> HTML {
    let points = lines[index].points
    return tag("g", ["class": style(index)]) {
      zip(points, points.dropFirst()).map { Shape.line($0.at, $1.at) }
      for point in points { Shape.dot(point.at, radius: radius, point.title) }
    }
  }

  private var names: [HTML] {
    let ends = lines.indices.compactMap { index in lines[index].points.last.map { (index, $0.at) } }
      .sorted { $0.1.y < $1.1.y }
    return zip(ends, Self.apart(ends.map(\.1.y), by: 15, within: heights)).map { end, y in
      tag("g", ["class": style(end.0)]) {
        Shape.line(end.1, .init(x: right + 3, y: y), "leader")
        Shape.text(
          PageText.brief(lines[end.0].name, most: 20), .init(x: right + 4, y: y + 4), "end")
      }
    }
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
