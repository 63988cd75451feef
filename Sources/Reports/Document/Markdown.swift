/// Escapes text, so that Markdown shows it unchanged: no markup, HTML, link or mention.
enum Markdown {
  static func escaped(_ text: String) -> String {
    withoutLinks(
      text.replacingScalars { scalar in
        if let entity = entities[scalar] { return entity }
        if scalar.isSpacing { return " " }
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

  /// Renderers turn anything like an address into a link.
  private static func withoutLinks(_ text: String) -> String {
    text.split(separator: "://", omittingEmptySubsequences: false).joined(separator: "&#58;//")
      .split(separator: "www.", omittingEmptySubsequences: false).joined(separator: "www&#46;")
  }
}
