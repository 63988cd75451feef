import Foundation

/// SHA-256 (FIPS 180-4), fed in pieces.
///
/// Not from swift-crypto: its BoringSSL takes longer to build than all other code here. The digest
/// of a few hundred kilobytes guards against mistakes, not against attackers. Tests check it
/// against NIST's vectors.
package struct SHA256 {
  private var state = Self.primes.prefix(8).map { Self.fraction(Double($0).squareRoot()) }
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// After the last whole block of 64 bytes.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  package static func hex(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  package mutating func update(_ bytes: [UInt8]) {
    byteCount += UInt64(bytes.count)
    var next = bytes.startIndex
    if !pending.isEmpty {
      next = min(64 - pending.count, bytes.count)
      pending += bytes[..<next]
      guard pending.count == 64 else { return }
      compress(pending, at: 0)
      pending.removeAll(keepingCapacity: true)
    }
    while bytes.count - next >= 64 {
      compress(bytes, at: next)
      next += 64
    }
    pending += bytes[next...]
  }

  /// 64 lower-case hexadecimal digits. Add no bytes afterwards.
  package mutating func finish() -> String {
    let bitCount = byteCount &* 8
    var padding: [UInt8] = [0x80]
    padding += [UInt8](repeating: 0, count: (119 - pending.count) % 64)
    padding += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) }
    update(padding)
    return state.map { String(format: "%08x", $0) }.joined()
  }

  private mutating func compress(_ bytes: [UInt8], at start: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      schedule.withUnsafeMutableBufferPointer { w in
        Self.expand(UnsafeBufferPointer(rebasing: bytes[start..<start + 64]), into: w)
        state.withUnsafeMutableBufferPointer { Self.mix(w, into: $0) }
      }
    }
  }

  private static func expand(
    _ block: UnsafeBufferPointer<UInt8>, into w: UnsafeMutableBufferPointer<UInt32>
  ) {
    for i in 0..<16 {
      let high = UInt32(block[4 * i]) << 24 | UInt32(block[4 * i + 1]) << 16
      w[i] = high | UInt32(block[4 * i + 2]) << 8 | UInt32(block[4 * i + 3])
    }
    for i in 16..<64 {
      let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3)
      let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10)
      w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
    }
  }

  private static func mix(
    _ w: UnsafeMutableBufferPointer<UInt32>, into state: UnsafeMutableBufferPointer<UInt32>
  ) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    roundConstants.withUnsafeBufferPointer { k in
      for i in 0..<64 {
        let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ k[i] &+ w[i]
        let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
      }
    }
    for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
  }

  @inline(__always)
  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// By the standard the constants are digits of the primes' square roots and cube roots.
  private static let roundConstants = primes.map { fraction(cbrt(Double($0))) }

  /// The first 64 primes.
  private static let primes = (2...311).filter { number in
    !(2..<number).contains(where: number.isMultiple)
  }

  /// The first 32 bits after the binary point.
  private static func fraction(_ root: Double) -> UInt32 {
    UInt32(truncatingIfNeeded: Int(root * 0x1p32))
  }
}
