import Judging

// Markup that no shown text can break.
//
//   String ──escaped──▶ text, attribute values ─┐
//   StaticString ─────▶ names, style sheet      ├─▶ HTML ─▶ page
//   HTML ─────────────▶ content ────────────────┘
//
// Only this file makes markup out of a `String`. The result is well-formed XML too, so that a
// parser can check it.

/// Text, elements, or several of them.
package struct HTML: Sendable, Equatable {
  fileprivate(set) var markup: String

  private init(markup: String) { self.markup = markup }

  static let nothing = HTML(markup: "")
  static let lineBreak = HTML(markup: "\n")

  init(_ text: String) { markup = Self.escaped(text) }

  /// - Parameter attributes: values are escaped; those without a value are left out.
  static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:], _ content: HTML
  ) -> HTML {
    HTML(markup: "<\(name)\(text(of: attributes))>\(content.markup)</\(name)>")
  }

  static func void(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:]
  ) -> HTML {
    HTML(markup: "<\(name)\(text(of: attributes))/>")
  }

  /// - Parameter rules: without `<` and `&`, which HTML and XML read differently here.
  static func style(_ rules: StaticString) -> HTML {
    HTML(markup: "<style>\(rules)</style>")
  }

  static func joined(_ parts: some Sequence<HTML>, by separator: HTML = .nothing) -> HTML {
    HTML(markup: parts.map(\.markup).joined(separator: separator.markup))
  }

  /// A document that HTML and XML parsers read alike.
  package static func document(head: HTML, body: HTML) -> String {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
    <head>\(head.markup)</head>
    <body>\(body.markup)</body>
    </html>

    """
  }

  private static func text(of attributes: KeyValuePairs<StaticString, String?>) -> String {
    var text = ""
    for case (let name, let value?) in attributes { text += " \(name)=\"\(escaped(value))\"" }
    return text
  }

  // MARK: Escaping

  /// Escapes markup, invisible characters and changes of the writing direction.
  private static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ isPlain[Int($0)] }) { return text }
    return text.replacingScalars { scalar in
      if let entity = entities[scalar] { return entity }
      return scalar.isSpacing ? " " : scalar.isInvisible ? scalar.escaped : nil
    }
  }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    // A CI's log executes `##[name]`.
    "[": "&#91;",
  ]

  /// By byte: whether it needs no escape.
  private static let isPlain: [Bool] = (0..<256).map { byte in
    (32..<127).contains(byte) && !"&<>\"'[".utf8.contains(UInt8(byte))
  }
}

/// Joins pieces of a page; a `String` among them is text.
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

func tag(
  _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
  @HTMLBuilder _ content: () -> HTML
) -> HTML {
  .element(name, attributes, content())
}

extension HTML {
  /// A name from a report. Its writing direction does not change the page's.
  static func name(_ text: String) -> HTML {
    tag("bdi") { PageText.brief(text, most: 100) }
  }
}
