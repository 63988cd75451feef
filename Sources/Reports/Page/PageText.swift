import Judging

enum PageText {
  /// A name from a report may be of any length.
  static func brief(_ text: String, most columns: Int = 80) -> String {
    text.shortened(to: columns, mark: "…")
  }

  static func sentences(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return brief(words.map { brief(String($0)) }.joined(separator: " "), most: 4000)
  }

  static func title(_ text: String) -> String { brief(text, most: 200) }

  /// For the narrow place above a row of a chart.
  static func label(_ text: String) -> String {
    let style = TextStyle(width: nil, isUTF8: true, hasColor: false)
    return brief(style.printable(brief(text)), most: 28)
  }

  /// As a CSV file has it, without zeros at the end.
  static func exact(_ value: Double) -> String {
    DecimalText.text(value, digits: 6) ?? "\(value)"
  }

  static func milliseconds(_ value: Double) -> String { "\(Figures.short(value)) ms" }
}
