import Yams

/// Typed values. In errors, `allowed` describes the allowed values.
extension LocatedNode {
  /// Whether the value is left out, or written as null.
  package var isNull: Bool {
    guard let scalar = node.scalar, !scalar.isSaidToBeText else { return false }
    return scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
  }

  package var anyText: String? { node.scalar?.string }

  /// Nil if quoted: a quoted number is text, and so is `!!str 5`.
  package var plainText: String? {
    guard let scalar = node.scalar, !scalar.isSaidToBeText else { return nil }
    return scalar.style == .plain || scalar.style == .any ? scalar.string : nil
  }

  package func text(_ allowed: String = "text") throws(InputError) -> String {
    guard let text = anyText else { throw wrongType(allowed) }
    guard !isNull, !text.isEmpty else { throw error("is empty; must be \(allowed)") }
    return text
  }

  package func word(of words: [String]) throws(InputError) -> String {
    let allowed = words.joined(separator: " | ")
    let word = try text(allowed)
    guard words.contains(word) else {
      let hint = NearestName.hint(for: word, in: words)
      throw error("unknown value \(word.quoted).\(hint) Allowed: \(allowed)")
    }
    return word
  }

  package func flag() throws(InputError) -> Bool {
    switch plainText {
    case "true": true
    case "false": false
    default: throw wrongType("true | false")
    }
  }

  package func integer(in range: ClosedRange<Int>, _ allowed: String) throws(InputError) -> Int {
    try checked(plainText.flatMap { Int($0) }, in: range, allowed)
  }

  package func number(
    in range: ClosedRange<Double>, _ allowed: String
  ) throws(InputError) -> Double {
    try checked(plainText.flatMap(Double.init(decimal:)), in: range, allowed)
  }

  private func checked<Number: Comparable>(
    _ value: Number?, in range: ClosedRange<Number>, _ allowed: String
  ) throws(InputError) -> Number {
    guard let value else { throw wrongType(allowed) }
    guard range.contains(value) else {
      throw error("\((anyText ?? "\(value)").short) is out of bounds; must be \(allowed)")
    }
    return value
  }

  package func wrongType(_ allowed: String) -> InputError {
    let found =
      switch node {
      case .scalar(let scalar) where scalar.string.isEmpty: "is empty"
      case .scalar(let scalar) where scalar.style == .plain && !scalar.isSaidToBeText:
        "\(scalar.string.quoted) is of the wrong type"
      case .scalar(let scalar): "the text \(scalar.string.quoted) is of the wrong type"
      case .mapping: "a mapping is of the wrong type"
      case .sequence: "a list is of the wrong type"
      case .alias: "an alias is of the wrong type"
      }
    return error("\(found); must be \(allowed)")
  }
}

extension Node.Scalar {
  /// Whether its tag makes it text: `!!str`, or `!` alone (YAML 1.2.2, 6.9.1).
  fileprivate var isSaidToBeText: Bool {
    [Tag.Name.str, .nonSpecific].map(\.rawValue).contains(tag.description)
  }
}

extension Double {
  /// A finite number. Unlike `Double.init`, accepts neither `nan`, `inf` nor hexadecimal. Never −0,
  /// which SQLite does not keep.
  package init?(decimal text: String) {
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D || $0 == 0x2B || $0 | 0x20 == 0x65
    }
    guard isDecimal, let value = Double(text), value.isFinite else { return nil }
    self = value == 0 ? 0 : value
  }
}
