/// Numbers as short as they can be.
enum DecimalText {
  /// At most so many digits after the point, without zeros at the end. Nil if it is too large.
  static func text(_ value: Double, digits: Int) -> String? {
    let scale = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6][digits]
    guard let scaled = Int(exactly: (value * scale).rounded()) else { return nil }
    let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    return (scaled < 0 ? "-" : "") + text(whole, rest, digits: digits)
  }

  /// - Parameter rest: below ten to the power of `digits`.
  static func text(_ whole: UInt, _ rest: UInt, digits: Int) -> String {
    guard rest > 0 else { return "\(whole)" }
    let figures = "\(rest)"
    var text = "\(whole).\(String(repeating: "0", count: digits - figures.count))\(figures)"
    while text.last == "0" { text.removeLast() }
    return text
  }
}
