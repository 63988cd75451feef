import Judging
import Measurement

enum PageText {
  /// A name stays a name, however long a report makes it.
  static func brief(_ text: String, most columns: Int = 80) -> String {
    text.shortened(to: columns, mark: "…")
  }

  /// Sentences that have names in them, whatever these hold.
  static func sentences(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return brief(words.map { brief(String($0)) }.joined(separator: " "), most: 4000)
  }

  /// Of a section, with its parameters.
  static func title(_ text: String) -> String { brief(text, most: 200) }

  /// For the narrow place above a row of a chart.
  static func label(_ text: String) -> String {
    let style = TextStyle(width: nil, isUTF8: true, hasColor: false)
    return brief(style.printable(brief(text)), most: 26)
  }

  /// As a CSV file has it, without zeros at the end.
  static func exact(_ value: Double) -> String {
    guard let millionths = Int(exactly: (value * 1e6).rounded()) else { return "\(value)" }
    guard millionths % 1_000_000 != 0 else { return "\(millionths / 1_000_000)" }
    var fraction = String(millionths.magnitude % 1_000_000 + 1_000_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(value < 0 ? "-" : "")\(millionths.magnitude / 1_000_000).\(fraction)"
  }

  static func milliseconds(_ value: Double) -> String { "\(Figures.short(value)) ms" }

  /// ` (44.1–46.9)`; nothing where there is no interval.
  static func interval(_ estimate: Estimate?) -> String {
    guard let interval = estimate?.interval else { return "" }
    return " (\(Figures.short(interval.lower))–\(Figures.short(interval.upper)))"
  }
}
