public import Foundation

// The store holds the 16 bytes of a UUID, and SQLite compares them from the first to the last.

extension UUID {
  /// A damaged file may hold fewer or more bytes. Zeros replace missing ones.
  package init(_ bytes: UnsafeRawBufferPointer) {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
    self.init(uuid: uuid)
  }

  package init(_ high: UInt64, _ low: UInt64) {
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID($0) }
  }

  package var words: (high: UInt64, low: UInt64) {
    let (high, low) = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    return (UInt64(bigEndian: high), UInt64(bigEndian: low))
  }

  @usableFromInline func byteOrder(relativeTo other: UUID) -> Int {
    let (a, b) = (words, other.words)
    return a == b ? 0 : (a < b ? -1 : 1)
  }
}
