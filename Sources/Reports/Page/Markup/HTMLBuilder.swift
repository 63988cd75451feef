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

func tag(
  _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String?> = [:],
  @HTMLBuilder _ content: () -> HTML
) -> HTML {
  .element(name, attributes, content())
}

extension HTML {
  /// A name out of a report. Its direction of writing does not change that of the page.
  static func name(_ text: String) -> HTML {
    tag("bdi") { PageText.brief(text, most: 100) }
  }
}
