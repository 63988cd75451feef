public import Foundation

/// A decimal number as the store holds it: the nearest `Double`. Up to 15 significant digits come
/// back unchanged, and more are rounded to 15.
///
/// Core Data's SQLite store has `DECIMAL` columns, where SQLite vouches for 15 digits too
/// (sqlite.org/datatype3.html). It loses the others in a save. Here they go at once, so that memory
/// and SQL compare the same numbers.
public struct StoredDecimal: Hashable, Sendable {
  /// NaN for a decimal that is not a number.
  public let number: Double

  /// - Parameter number: as read from the store.
  @inlinable package init(number: Double) { self.number = number }

  public init(_ decimal: Decimal) {
    let nearest = Double("\(decimal)") ?? .nan
    let rounded = Double(String(format: "%.15g", nearest)) ?? .nan
    // A decimal has no negative zero.
    number = rounded + 0
  }

  public var decimal: Decimal {
    guard number.isFinite else { return .nan }
    return Decimal(string: "\(number)") ?? .nan
  }
}
