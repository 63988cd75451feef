// Most comparisons of a sort are decided by the first few bytes of the first key. An *abbreviation* is
// these in one word, and never says anything that the keys do not: a value that comes first has the
// smaller abbreviation or the same, and then the keys themselves are compared. (Abbreviated keys, as
// PostgreSQL's sorts have them.)

import Foundation

extension SortTerm {
  /// - Precondition: the descriptor is of a column, without options.
  func abbreviation(of row: ContiguousArray<Value>) -> UInt64 {
    let ascending = row[attribute].abbreviation
    return isAscending ? ascending : ~ascending
  }
}

extension Value {
  /// In the order of `order(relativeTo:)`, among values of one type and null.
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
    }
  }
}

/// The first eight bytes, as a number; zeros where there are none.
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
  /// The bits of numbers are in their order, but for the sign. Both zeros are one.
  fileprivate var abbreviation: UInt64 {
    guard self != 0 else { return 1 << 63 }
    return self < 0 ? ~bitPattern : bitPattern | (1 << 63)
  }
}
