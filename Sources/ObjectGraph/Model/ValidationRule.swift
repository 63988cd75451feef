struct ValidationRule {
  let conditions: AttributeValidation
  let pattern: WholePattern?

  init(_ conditions: AttributeValidation) {
    self.conditions = conditions
    pattern = conditions.pattern.map(WholePattern.init)
  }
}

/// A regular expression that whole strings must match. Any thread may use it.
///
/// A `Regex` is not Sendable, because a regex builder may hold closures; one made from text holds
/// none. Its compilation at the first match is stored atomically
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
