/// A chart of lines, each with its name at its end.
///
/// Names that would overlap are moved apart, and thin lines lead to them. Positions are percent of
/// the width and pixels of the height.
struct NamedLines {
  /// A line without points keeps its colour.
  let names: [String]
  let axis: Axis
  /// The positions of the columns, from 0 to 1.
  let places: [Double]
  let bottom: Double
  /// Of the dots, in pixels.
  let radius: Double
  /// Between the last column and the end of the grid.
  var margin = 0.0

  static let top = 14.0
  private static let left = 12.0

  /// The end of the grid. Leaves room for names of at most 20 letters, also on a phone.
  var right: Double {
    let longest = names.map { PageText.brief($0, most: 20).count }.max() ?? 0
    return min(85, max(50, 97 - Double(longest) * 2.1))
  }

  func across(_ column: Int) -> Double {
    Self.left + (right - margin - Self.left) * places[column]
  }

  private func down(_ value: Double) -> Double {
    bottom - (bottom - Self.top) * axis.percent(value) / 100
  }

  func tick(_ value: Double, _ label: String) -> HTML {
    let y = down(value)
    return .joined([
      Shape.line(.init(x: 0, y: y), .init(x: right, y: y), value == axis.lower ? "axis" : "grid"),
      Shape.text(label, .init(x: 0, y: y - 3), "tick first"),
    ])
  }

  func label(_ text: String, _ column: Int) -> HTML {
    Shape.text(text, .init(x: across(column), y: bottom + 17), "tick")
  }

  /// - Parameter point: its title is shown where the pointer rests on the dot.
  func lines(point: (_ name: String, _ column: Int) -> (value: Double, title: String)?) -> HTML {
    var ends: [(index: Int, at: Shape.Position)] = []
    let lines = names.enumerated().map { index, name in
      let points = places.indices.compactMap { column in
        point(name, column).map { value, title in
          (at: Shape.Position(x: across(column), y: down(value)), title: title)
        }
      }
      if let last = points.last { ends.append((index, last.at)) }
      return tag("g", ["class": style(index)]) {
        zip(points, points.dropFirst()).map { Shape.line($0.at, $1.at) }
        points.map { Shape.dot($0.at, radius: radius, $0.title) }
      }
    }
    return .joined(lines + labels(ends.sorted { $0.at.y < $1.at.y }))
  }

  /// Only the seven colours of solid marks: they differ most for every reader.
  private func style(_ index: Int) -> String {
    "series series-\(index % 7)\(index >= 7 ? " dashed" : "")"
  }

  private func labels(_ ends: [(index: Int, at: Shape.Position)]) -> [HTML] {
    zip(ends, Self.apart(ends.map(\.at.y), by: 15, within: Self.top...bottom)).map { end, y in
      tag("g", ["class": style(end.index)]) {
        Shape.line(end.at, .init(x: right + 3, y: y), "leader")
        Shape.text(PageText.brief(names[end.index], most: 20), .init(x: right + 4, y: y + 4), "end")
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
