package import Foundation

/// One value of a row: of a data set, of a change, or read back from a store.
///
/// Strings are equal, ordered and hashed by their UTF-8 bytes, as SQLite's `BINARY` collation does
/// it. `String` itself compares by canonical equivalence, under which a change that only recomposes
/// a letter would not be a change.
package enum FieldValue: Sendable {
  case null
  case int64(Int64)
  /// Finite; data sets hold neither NaN (which SQLite stores as null) nor infinities.
  case double(Double)
  case bool(Bool)
  case string(String)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case data(Data)
}

/// A row: one value per attribute, in the order of ``Entity/attributes``.
package typealias Row = [FieldValue]

extension FieldValue: Hashable {
  package static func == (a: FieldValue, b: FieldValue) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.int64(let a), .int64(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a.compareBytes(to: b) == 0
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .int64(let value): hasher.combine(value)
    case .double(let value), .date(let value): hasher.combine(value)
    case .bool(let value): hasher.combine(value)
    case .string(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .data(let value): hasher.combine(value)
    }
  }
}

extension FieldValue: Comparable {
  /// SQLite's order: null, then numbers (booleans are 0 and 1, dates are seconds), then text by
  /// bytes, then data by bytes.
  package static func < (a: FieldValue, b: FieldValue) -> Bool {
    switch (a, b) {
    case (.int64(let a), .int64(let b)): a < b
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a < b
    case (.bool(let a), .bool(let b)): !a && b
    case (.string(let a), .string(let b)): a.compareBytes(to: b) < 0
    case (.data(let a), .data(let b)): a.lexicographicallyPrecedes(b)
    default: a.storageClass < b.storageClass
    }
  }

  /// Values of one attribute are null or of one type, so values of different types never meet in a
  /// list; their order is total all the same.
  private var storageClass: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int64: 2
    case .double: 3
    case .date: 4
    case .string: 5
    case .data: 6
    }
  }
}

extension FieldValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "null"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .date(let value): "date(\(value))"
    case .data(let value): "data(\(value.count) bytes)"
    }
  }
}

extension String {
  /// Negative, 0 or positive, as `memcmp` over the UTF-8 bytes; a prefix comes first.
  fileprivate func compareBytes(to other: String) -> Int {
    var a = self
    var b = other
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let shared = min(a.count, b.count)
        if shared > 0, let a = a.baseAddress, let b = b.baseAddress {
          let order = memcmp(a, b, shared)
          if order != 0 { return Int(order) }
        }
        return a.count - b.count
      }
    }
  }
}
