extension String {
  /// Without line breaks, for a field of a table.
  package var oneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
