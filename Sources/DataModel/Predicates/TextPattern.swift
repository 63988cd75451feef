import Foundation

/// A test of text other than its order.
public enum TextOperator: String, CaseIterable, Sendable {
  case beginsWith = "BEGINSWITH"
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  /// `*` stands for any characters, `?` for one. `\` makes the next character literal.
  case like = "LIKE"
  /// A regular expression (ICU's) that the whole text must match.
  case matches = "MATCHES"
}

/// The prepared right side. Every text begins with, ends with and contains the empty text.
package final class TextPattern: Sendable {
  let operation: TextOperator
  let options: TextOptions
  private let needle: [UInt8]
  private let expression: NSRegularExpression?

  /// Nil if `source` should be a regular expression but is not.
  package init?(_ operation: TextOperator, _ options: TextOptions, _ source: String) {
    self.operation = operation
    self.options = options
    if operation == .matches {
      let flags: NSRegularExpression.Options =
        options.contains(.caseInsensitive) ? .caseInsensitive : []
      let source = Self.composed(source, options)
      let whole = "\\A(?:\(source))\\z"
      guard let expression = try? NSRegularExpression(pattern: whole, options: flags),
        // Compiled by itself too, so that it cannot close the outer bracket.
        source.isEmpty || (try? NSRegularExpression(pattern: source)) != nil
      else { return nil }
      self.expression = expression
      self.needle = []
    } else {
      self.expression = nil
      self.needle = Array(source.folded(options).utf8)
    }
  }

  /// Keeps case, because folding it would turn `\S` into `\s`.
  private static func composed(_ text: String, _ options: TextOptions) -> String {
    guard !options.isEmpty else { return text }
    return text.folded(options.subtracting(.caseInsensitive)).precomposedStringWithCanonicalMapping
  }

  package func matches(_ text: String) -> Bool {
    if let expression {
      let text = Self.composed(text, options)
      let range = NSRange(location: 0, length: text.utf16.count)
      return expression.firstMatch(in: text, range: range) != nil
    }
    var text = text.folded(options)
    return text.withUTF8(holds)
  }

  package func matches(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
    if expression == nil && options.isEmpty { return holds(text) }
    return matches(String(decoding: text, as: UTF8.self))
  }

  private func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch operation {
    case .beginsWith: text.starts(with: needle)
    case .endsWith: text.count >= needle.count && text.suffix(needle.count).elementsEqual(needle)
    case .contains: containsNeedle(text)
    case .like: needle.withUnsafeBufferPointer { Wildcards(pattern: $0, text: text).match() }
    case .matches: false
    }
  }

  private func containsNeedle(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = needle.first else { return true }
    guard text.count >= needle.count else { return false }
    let last = text.count - needle.count
    return (0...last).contains { start in
      text[start] == first && text[start...].starts(with: needle)
    }
  }
}

/// Matches a `LIKE` pattern. Backtracks only to the last `*`, so the time is at most the product of
/// the lengths.
private struct Wildcards {
  let pattern: UnsafeBufferPointer<UInt8>
  let text: UnsafeBufferPointer<UInt8>

  func match() -> Bool {
    var (at, place) = (0, 0)
    /// The position after the last `*`, and the end of the text that it has matched.
    var retry: (at: Int, place: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        retry = (at + 1, place)
        at += 1
      } else if let next = step(at, place) {
        (at, place) = next
      } else if let last = retry {
        let place2 = last.place + width(of: text[last.place])
        retry = (last.at, place2)
        (at, place) = (last.at, place2)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  private func step(_ at: Int, _ place: Int) -> (Int, Int)? {
    guard at < pattern.count else { return nil }
    if pattern[at] == UInt8(ascii: "?") {
      return (at + 1, min(place + width(of: text[place]), text.count))
    }
    let isEscaped = pattern[at] == UInt8(ascii: "\\") && at + 1 < pattern.count
    let literal = isEscaped ? at + 1 : at
    return pattern[literal] == text[place] ? (literal + 1, place + 1) : nil
  }

  private func width(of byte: UInt8) -> Int {
    byte < 0xC0 ? 1 : (byte < 0xE0 ? 2 : (byte < 0xF0 ? 3 : 4))
  }
}
