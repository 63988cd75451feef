public import Foundation

/// How a sort compares texts. SQL and memory call the same function.
///
/// Foundation's localized order contradicts itself for rare texts that have letters such as "ß" or
/// "Æ" behind an accent: on Linux, "zÆ" comes before "ž9_", and "ž9_" before "zÆ". Such texts may
/// be in either order.
public enum TextComparison: String, CaseIterable, Sendable {
  /// By UTF-8 bytes.
  case bytes
  /// As the Finder sorts names: `localizedStandardCompare`. Numbers count by their value, and only
  /// identical texts are equal.
  case localized
  /// `localizedCaseInsensitiveCompare`. Texts that differ in case only are equal.
  case localizedCaseInsensitive = "localized-case-insensitive"

  /// Orders localized texts. It is fixed, so that results do not depend on a machine's settings.
  public static let locale = Locale(identifier: "en_US")

  /// The options of the method that has no parameter for a locale, as in Foundation's sources:
  /// github.com/swiftlang/swift-corelibs-foundation, NSString.swift. Foundation then compares with
  /// ICU's collation on Linux too.
  private var options: String.CompareOptions {
    switch self {
    case .bytes: .literal
    case .localized: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering]
    case .localizedCaseInsensitive: .caseInsensitive
    }
  }

  /// Negative if `a` comes first, 0 if equal.
  package func order(_ a: String, _ b: String) -> Int {
    if self == .bytes { return a.byteOrder(relativeTo: b) }
    return a.compare(b, options: options, locale: Self.locale).rawValue
  }

  /// - Precondition: both are null or of one type.
  package func order(_ a: Value, _ b: Value) -> Int {
    guard self != .bytes else { return a.order(relativeTo: b) }
    return switch (a, b) {
    case (.string(let first), .string(let second)), (.uri(let first), .uri(let second)):
      order(first, second)
    default: a.order(relativeTo: b)
    }
  }
}
