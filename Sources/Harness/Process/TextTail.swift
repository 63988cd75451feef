/// Keeps the end of a text that arrives in pieces, in bounded memory.
struct TextTail {
  private let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  mutating func append(_ piece: some Collection<UInt8>) {
    bytes.append(contentsOf: piece.suffix(limit))
    // Rarely, so that small pieces do not move the text each time.
    if bytes.count > 4 * limit { bytes.removeFirst(bytes.count - limit) }
  }

  /// A character cut in two becomes a replacement character.
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}

extension String {
  /// Without line breaks, for a field of a table.
  package var oneLine: String {
    split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
