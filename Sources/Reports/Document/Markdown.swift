/// Text that Markdown shows as it is, wherever it stands: no markup, no HTML, no link, no mention.
enum Markdown {
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let entity = entities[scalar] {
        result += entity
      } else if scalar == "\n" || scalar == "\t" || scalar == "\r" {
        result += " "
      } else if scalar.isInvisible {
        // The backslash of the escape is itself to be shown.
        result += "\\" + scalar.escaped
      } else {
        if markup.contains(scalar) { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
    }
    return withoutLinks(result)
  }

  /// A name of a file as code, unless it holds what would end that.
  static func code(_ name: String) -> String {
    name.wholeMatch(of: /[A-Za-z0-9._\/+-]+/) == nil ? escaped(name) : "`\(name)`"
  }

  private static let entities: [Unicode.Scalar: String] = [
    "<": "&lt;", ">": "&gt;", "&": "&amp;", "@": "&#64;", "\"": "&quot;",
  ]

  private static let markup = Set("\\`*_{}[]#|~!$^".unicodeScalars)

  /// What looks like an address becomes a link by itself, unless something stands in between.
  private static func withoutLinks(_ text: String) -> String {
    text.split(separator: "://", omittingEmptySubsequences: false).joined(separator: "&#58;//")
      .split(separator: "www.", omittingEmptySubsequences: false).joined(separator: "www&#46;")
  }
}
