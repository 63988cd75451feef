import Foundation

/// How text compares: `[c]`, `[d]` and `[cd]` of a format string.
///
/// Without options, text compares by its bytes: a precomposed letter differs from a decomposed one.
/// With options, both sides are folded and composed first.
public struct TextOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let caseInsensitive = TextOptions(rawValue: 1)
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension String {
  /// The form of the text that SQL and memory compare.
  @inlinable package func folded(_ options: TextOptions) -> String {
    options.isEmpty ? self : foldedAndComposed(options)
  }

  @usableFromInline func foldedAndComposed(_ options: TextOptions) -> String {
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.caseInsensitive) ? lowercased() : self
    }
    var ignored: String.CompareOptions = []
    if options.contains(.caseInsensitive) { ignored.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { ignored.insert(.diacriticInsensitive) }
    return folding(options: ignored, locale: nil).precomposedStringWithCanonicalMapping
  }
}

extension Value {
  @inlinable package func folded(_ options: TextOptions) -> Value {
    if case .string(let text) = self { .string(text.folded(options)) } else { self }
  }
}
