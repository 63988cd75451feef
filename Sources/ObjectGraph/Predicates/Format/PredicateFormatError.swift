/// A mistake in a format string: what is wrong, where, and what to write instead.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
  public let format: String
  /// The position in the format string, in Unicode scalars from 0.
  public let position: Int
  public let message: String

  public var description: String {
    "\(message), at character \(position + 1):\n  \(line.text)\n  \(String(repeating: " ", count: line.column))^"
  }

  /// The line with the position, and the position in that line.
  private var line: (text: String, column: Int) {
    let scalars = Array(format.unicodeScalars)
    let end = min(position, scalars.count)
    let start = scalars[..<end].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let rest = scalars[start...].prefix { $0 != "\n" }
    let before = String(String.UnicodeScalarView(scalars[start..<end]))
    return (String(String.UnicodeScalarView(rest)), before.count)
  }
}

/// The known name nearest to a mistyped one; nil if none is near.
func nearestName(to name: String, among names: [String]) -> String? {
  let distances = names.map { ($0, editDistance(name.lowercased(), $0.lowercased())) }
  guard let best = distances.min(by: { $0.1 < $1.1 }) else { return nil }
  return best.1 <= max(1, name.count / 3) ? best.0 : nil
}

/// The number of characters to add, remove or replace to turn one name into the other.
private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (line, character) in a.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for column in b.indices {
      let cost = min(
        row[column] + 1, row[column + 1] + 1, diagonal + (character == b[column] ? 0 : 1))
      diagonal = row[column + 1]
      row[column + 1] = cost
    }
  }
  return row[b.count]
}
