/// Text that Markdown shows as it is: no markup, no HTML, no link, no mention.
enum Markdown {
  static func escaped(_ text: String) -> String {
    withoutLinks(
      text.replacingScalars { scalar in
        if let entity = entities[scalar] { return entity }
        if scalar.isSpacing { return " " }
        // A backslash comes before markup, and before the one of an escape.
        if scalar.isInvisible { return "\\" + scalar.escaped }
        return markup.contains(scalar) ? "\\\(scalar)" : nil
      })
  }

  /// A name as code, unless one of its characters could end that.
  static func code(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z0-9._\/+-]+/) == nil ? escaped(name) : "`\(name)`"
  }

  private static let entities: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", "\"": "&quot;",
  ]

  private static let markup = Set("\\`*_{}[]#|~!$^".unicodeScalars)

  /// Renderers make a link of whatever looks like an address.
  private static func withoutLinks(_ text: String) -> String {
    text.split(separator: "://", omittingEmptySubsequences: false).joined(separator: "&#58;//")
      .split(separator: "www.", omittingEmptySubsequences: false).joined(separator: "www&#46;")
  }
}
