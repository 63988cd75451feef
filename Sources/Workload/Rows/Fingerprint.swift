// Proof of equal work: one number for all rows of a store, in whatever order they are read.
//
//   row ─▶ every value folded into 64 bits (128-bit multiply, both halves) ─▶ summed modulo 2⁶⁴
//
// A sum instead of an exclusive or, so that a duplicated row does not cancel itself. Two different
// sets of rows agree with probability 2⁻⁶⁴. The fold is that of wyhash (Wang Yi, public domain).

import DataModel
import Foundation

/// An order-independent 64-bit hash over rows, fed row by row.
///
/// A row holds its business key and no object ID, so stores filled by different topologies agree.
package struct Fingerprint: Equatable, Sendable {
  private var sum: UInt64 = 0
  package private(set) var rowCount = 0

  package init() {}

  package init(_ rows: some Sequence<Row>) {
    for row in rows { add(row) }
  }

  package mutating func add(_ row: Row) {
    sum &+= Self.hash(row)
    rowCount += 1
  }

  /// Adds rows of an entity other than the list's. The entity's name enters the hash.
  package mutating func add(_ rows: some Sequence<Row>, of entity: String) {
    for row in rows { add([.string(entity)] + row) }
  }

  /// 16 lower-case hexadecimal digits.
  package var hex: String {
    String(format: "%016llx", Self.fold(sum ^ Self.first, UInt64(rowCount) ^ Self.second))
  }

  package static func hash(_ row: Row) -> UInt64 {
    // Folded first: otherwise a state equal to its own word would multiply by zero and lose all.
    var state = fold(UInt64(row.count) ^ second, third)
    for value in row { absorb(value, into: &state) }
    return fold(state ^ second, third)
  }

  /// Hashes type and bits, so that `1` differs from `true`, and empty text from null.
  private static func absorb(_ value: Value, into state: inout UInt64) {
    switch value {
    case .null: absorb(word: 0, tag: 1, into: &state)
    case .int64(let value): absorb(word: UInt64(bitPattern: value), tag: 2, into: &state)
    case .double(let value): absorb(word: bits(of: value), tag: 3, into: &state)
    case .bool(let value): absorb(word: value ? 1 : 0, tag: 4, into: &state)
    case .string(var value):
      value.withUTF8 { absorb(bytes: UnsafeRawBufferPointer($0), tag: 5, into: &state) }
    case .date(let value):
      absorb(word: bits(of: value.timeIntervalSinceReferenceDate), tag: 6, into: &state)
    case .data(let value): value.withUnsafeBytes { absorb(bytes: $0, tag: 7, into: &state) }
    case .decimal(let value): absorb(word: bits(of: value.number), tag: 8, into: &state)
    case .uuid(let value):
      withUnsafeBytes(of: value.uuid) { absorb(bytes: $0, tag: 9, into: &state) }
    case .uri(var value):
      value.withUTF8 { absorb(bytes: UnsafeRawBufferPointer($0), tag: 10, into: &state) }
    case .object: preconditionFailure("a fingerprint is made of business keys")
    }
  }

  /// SQLite returns −0 as 0.
  private static func bits(of value: Double) -> UInt64 { value == 0 ? 0 : value.bitPattern }

  private static func absorb(bytes: UnsafeRawBufferPointer, tag: UInt64, into state: inout UInt64) {
    absorb(word: UInt64(bytes.count), tag: tag, into: &state)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      absorb(word: UInt64(littleEndian: word), tag: tag, into: &state)
      offset += 8
    }
    guard offset < bytes.count else { return }
    var tail: UInt64 = 0
    for index in offset..<bytes.count { tail = tail << 8 | UInt64(bytes[index]) }
    absorb(word: tail, tag: tag, into: &state)
  }

  @inline(__always)
  private static func absorb(word: UInt64, tag: UInt64, into state: inout UInt64) {
    state = fold(state ^ word ^ first, (state &+ tag &* second) ^ third)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  private static let first: UInt64 = 0xA076_1D64_78BD_642F
  private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB
  private static let third: UInt64 = 0x8EBC_6AF0_9C88_C6E3
}
