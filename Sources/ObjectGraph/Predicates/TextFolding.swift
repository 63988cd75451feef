import Foundation

/// How text is compared: `[c]`, `[d]` and `[cd]` of a format string.
///
/// Without options, text is compared as it is stored, by its bytes: a letter and the same letter
/// composed of two differ. With any, both sides are folded and composed first.
public struct TextOptions: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  public static let caseInsensitive = TextOptions(rawValue: 1)
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension String {
  /// This text without what the options ignore: what the store and memory both compare.
  package func folded(_ options: TextOptions) -> String {
    guard !options.isEmpty else { return self }
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
  /// Text without what the options ignore; any other value as it is.
  package func folded(_ options: TextOptions) -> Value {
    if case .string(let text) = self { .string(text.folded(options)) } else { self }
  }
}
