/// The end of a text that comes in pieces, however long it grows.
struct TextTail {
  private let limit: Int
  private var bytes: [UInt8] = []

  /// - Parameter limit: how many bytes are kept, at least.
  init(limit: Int) { self.limit = limit }

  mutating func append(_ piece: some Collection<UInt8>) {
    bytes.append(contentsOf: piece.suffix(limit))
    // Cut now and then, so that many small pieces do not move the text each time.
    if bytes.count > 4 * limit { bytes.removeFirst(bytes.count - limit) }
  }

  /// The last bytes as text. A letter that the cut went through is a replacement character.
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
