/// What is wrong with a CSV text, and where.
package struct CSVError: Error, Equatable, CustomStringConvertible {
  /// Counted from 1; a quoted field may span several.
  package let line: Int
  /// In characters from the line's start, counted from 1.
  package let column: Int
  package let message: String

  package var description: String { "line \(line), column \(column): \(message)" }
}
