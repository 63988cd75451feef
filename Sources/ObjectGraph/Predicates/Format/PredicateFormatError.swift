/// A mistake in a format string: what is wrong, where, and what to write instead.
public struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
  public let format: String
  /// In Unicode scalars from 0.
  public let position: Int
  public let message: String

  public var description: String {
    "\(message), at character \(position + 1):\n  \(line.text)\n  \(String(repeating: " ", count: line.column))^"
  }

  private var line: (text: String, column: Int) {
    let scalars = Array(format.unicodeScalars)
    let end = min(position, scalars.count)
    let start = scalars[..<end].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let rest = scalars[start...].prefix { $0 != "\n" }
    let before = String(String.UnicodeScalarView(scalars[start..<end]))
    return (String(String.UnicodeScalarView(rest)), before.count)
  }
}
