import Foundation

package enum BinaryDigest {
  /// A hash of a file's bytes, not cryptographic, in hexadecimal; nil if the file cannot be read.
  package static func of(_ file: String) -> String? {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    else { return nil }
    let hash = data.withUnsafeBytes { Self.hash(of: $0) }
    return String(hash, radix: 16)
  }

  /// FNV-1a over words of eight bytes: a program has 100 million bytes.
  private static func hash(of bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    let words = bytes.count / 8
    var offset = 0
    while offset < words * 8 {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = (hash ^ word) &* 0x100_0000_01B3
      // Mixes the high bits of a word into the low ones.
      hash ^= hash >> 29
      offset += 8
    }
    for byte in bytes[offset...] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}

extension Machine {
  package static var binaryDigest: String? { BinaryDigest.of("/proc/self/exe") }
}
