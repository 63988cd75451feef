// The first bytes of the first sort key decide most comparisons. An *abbreviation* holds them in
// one machine word. Of two values, the one with the smaller abbreviation comes first. If both are
// equal, the keys are compared. (PostgreSQL's sorts have abbreviated keys too.)

import Foundation

extension SortTerm {
  /// - Precondition: the term is a column without options.
  func abbreviation(of row: ContiguousArray<Value>) -> UInt64 {
    let value = row[attribute]
    // The bytes of a localized text say nothing about its place.
    let ascending = comparison == .bytes ? value.abbreviation : value.isNull ? 0 : 1
    return isAscending ? ascending : ~ascending
  }
}

extension Value {
  /// Ordered like `order(relativeTo:)`, among values of one type and null.
  fileprivate var abbreviation: UInt64 {
    switch self {
    case .null: 0
    case .bool(let value): value ? 1 : 0
    case .int64(let value): value.abbreviation
    case .object(let id): id.number.abbreviation
    case .double(let value): value.abbreviation
    case .date(let value): value.timeIntervalSinceReferenceDate.abbreviation
    case .string(let value): abbreviated(value.utf8)
    case .data(let value): abbreviated(value)
    case .decimal(let value): value.number.abbreviation
    case .uuid(let value): value.words.high
    case .uri(let value): abbreviated(value.utf8)
    }
  }
}

/// The first eight bytes, padded with zeros.
private func abbreviated(_ bytes: some Sequence<UInt8>) -> UInt64 {
  var (word, shift) = (UInt64(0), UInt64(64))
  for byte in bytes.prefix(8) {
    shift -= 8
    word |= UInt64(byte) << shift
  }
  return word
}

extension Int64 {
  fileprivate var abbreviation: UInt64 { UInt64(bitPattern: self) ^ (1 << 63) }
}

extension Double {
  /// The bits of positive numbers are in numeric order, those of negative ones in reverse. 0 and -0
  /// give the same value.
  fileprivate var abbreviation: UInt64 {
    guard self != 0 else { return 1 << 63 }
    return self < 0 ? ~bitPattern : bitPattern | (1 << 63)
  }
}
