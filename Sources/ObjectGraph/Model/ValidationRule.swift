/// The conditions of an attribute, as a model resolves them once for all its contexts.
struct ValidationRule {
  let conditions: AttributeValidation
  let pattern: WholePattern?

  /// - Precondition: the model has validated the pattern.
  init(_ conditions: AttributeValidation) {
    self.conditions = conditions
    pattern = conditions.pattern.map(WholePattern.init)
  }
}

/// A regular expression that whole strings must match, compiled once. Any thread may use it.
///
/// A `Regex` is not Sendable, because a regex builder may hold closures; one made from text holds
/// none. The standard library compiles it at its first match, and stores the result atomically
/// (swift-experimental-string-processing, Regex/Core.swift).
final class WholePattern: @unchecked Sendable {
  // Immutable, and made from text.
  private let expression: Regex<AnyRegexOutput>

  init(_ pattern: String) {
    guard let expression = try? Regex(pattern) else {
      fatalError("the model has not validated the pattern '\(pattern)'")
    }
    self.expression = expression
  }

  func matches(_ string: String) -> Bool {
    (try? expression.wholeMatch(in: string)) ?? nil != nil
  }
}
