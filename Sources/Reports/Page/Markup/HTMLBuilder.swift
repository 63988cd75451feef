import Judging
import Measurement

/// Puts pieces of a page after one another; a `String` among them is text.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ text: String) -> HTML { HTML(text) }
  static func buildExpression(_ parts: [HTML]) -> HTML { .joined(parts) }
  static func buildBlock(_ parts: HTML...) -> HTML { .joined(parts) }
  static func buildArray(_ parts: [HTML]) -> HTML { .joined(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? .nothing }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
}

/// An element with its content.
func tag(
  _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
  @HTMLBuilder _ content: () -> HTML
) -> HTML {
  .element(name, attributes, content())
}

extension HTML {
  /// A link within the page.
  static func link(to anchor: String, _ text: String) -> HTML {
    tag("a", ["href": "#\(anchor)"]) { text }
  }

  /// A name out of a report: its direction of writing is its own affair.
  static func name(_ text: String) -> HTML {
    tag("bdi") { PageText.brief(text, most: 100) }
  }

  /// A number for people, with the exact one for programs.
  static func number(_ value: Double, _ text: String) -> HTML {
    tag("data", ["value": PageText.exact(value)]) { text }
  }
}

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
