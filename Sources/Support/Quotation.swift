extension String {
  /// At most 200 characters: a file's text may be of any length.
  package var short: String {
    let scalars = unicodeScalars.prefix(Self.longestQuotation + 1)
    guard scalars.count > Self.longestQuotation else { return self }
    return String(String.UnicodeScalarView(scalars.dropLast())) + "…"
  }

  package var quoted: String { "'\(short)'" }

  private static let longestQuotation = 200
}
