public import Foundation

/// The nearest `Double` of a decimal, rounded to 15 significant digits.
///
/// Core Data's SQLite store has `DECIMAL` columns, where SQLite too guarantees only 15 digits
/// (sqlite.org/datatype3.html) and a save loses the others. This type drops them at once, so that
/// memory and SQL compare the same numbers.
public struct StoredDecimal: Hashable, Sendable {
  /// NaN for a decimal that is not a number.
  public let number: Double

  @inlinable package init(number: Double) { self.number = number }

  public init(_ decimal: Decimal) {
    let nearest = Double("\(decimal)") ?? .nan
    let rounded = Double(String(format: "%.15g", nearest)) ?? .nan
    // A decimal has no negative zero.
    number = rounded + 0
  }

  public var decimal: Decimal {
    guard number.isFinite else { return .nan }
    return Decimal(string: "\(number)") ?? large ?? .nan
  }

  /// Foundation reads no exponent above 127. The digits before it take the other zeros.
  private var large: Decimal? {
    let parts = String(format: "%.14e", number).split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]).map({ $0 - 14 }), exponent > 0 else {
      return nil
    }
    let zeros = String(repeating: "0", count: max(0, exponent - 127))
    return Decimal(
      string: parts[0].replacingOccurrences(of: ".", with: "") + zeros + "e\(min(exponent, 127))")
  }
}
