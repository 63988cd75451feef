struct FormatToken: Equatable {
  enum Kind: Equatable {
    /// A keyword, or part of a key path. `isPlain` if `#` marked it as no keyword.
    case word(String, isPlain: Bool)
    case string(String)
    case integer(Int64)
    case double(Double)
    /// `$name`
    case variable(String)
    /// `@name`
    case function(String)
    /// `%…`, without the `%`
    case placeholder(String)
    case symbol(String)
    case end
  }

  let kind: Kind
  /// In Unicode scalars.
  let start: Int
  let end: Int
}

struct FormatLexer {
  private let format: String
  private let characters: [Unicode.Scalar]
  private var place = 0

  // Longest first.
  private static let symbols = [
    "==", "=<", "=>", "!=", "<>", "<=", ">=", "&&", "||", "**", ":=", "=", "<", ">", "!", "(", ")",
    "{", "}", "[", "]", ",", ".", "-", "+", "*", "/",
  ].map { Array($0.unicodeScalars) }
  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "\"": "\"", "'": "'",
  ]

  init(_ format: String) {
    self.format = format
    self.characters = Array(format.unicodeScalars)
  }

  static func tokens(of format: String) throws -> [FormatToken] {
    var lexer = FormatLexer(format)
    var tokens: [FormatToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws -> FormatToken {
    while peek?.properties.isWhitespace == true { place += 1 }
    let start = place
    return FormatToken(kind: try kind(), start: start, end: place)
  }

  private mutating func kind() throws -> FormatToken.Kind {
    guard let first = peek else { return .end }
    switch first {
    case "\"", "'": return .string(try quoted(by: first))
    case "0"..."9": return try number()
    case "$": return .variable(try name(after: "a variable"))
    case "@": return .function(try name(after: "a function such as @count"))
    case "#": return .word(try name(after: "a key"), isPlain: true)
    case "%":
      place += 1
      return .placeholder(taking { $0 == "@" || Self.isNameStart($0) })
    case _ where Self.isNameStart(first):
      return .word(taking(Self.isNamePart), isPlain: false)
    default: return .symbol(try symbol())
    }
  }

  private mutating func symbol() throws -> String {
    guard let symbol = Self.symbols.first(where: { characters[place...].starts(with: $0) }) else {
      throw failure("unexpected '\(characters[place])'", at: place)
    }
    place += symbol.count
    return String(String.UnicodeScalarView(symbol))
  }

  private mutating func name(after what: String) throws -> String {
    place += 1
    let name = taking(Self.isNamePart)
    guard !name.isEmpty else { throw failure("expected the name of \(what)", at: place) }
    return name
  }

  private mutating func quoted(by quote: Unicode.Scalar) throws -> String {
    let start = place
    place += 1
    var text = String.UnicodeScalarView()
    while let character = peek {
      place += 1
      if character == quote { return String(text) }
      text.append(character == "\\" ? try escaped() : character)
    }
    throw failure("this string has no closing \(quote)", at: start)
  }

  private mutating func escaped() throws -> Unicode.Scalar {
    guard let character = peek, let meaning = Self.escapes[character] else {
      throw failure("unknown escape in a string; known: \\n \\t \\r \\\\ \\\" \\'", at: place - 1)
    }
    place += 1
    return meaning
  }

  // MARK: Numbers

  private static let radixes = ["0x": 16, "0o": 8, "0b": 2]

  private mutating func number() throws -> FormatToken.Kind {
    let start = place
    var digits = taking { Self.isNamePart($0) || $0 == "." }
    if let radix = Self.radixes[String(digits.prefix(2)).lowercased()] {
      guard let value = Int64(digits.dropFirst(2), radix: radix) else {
        throw failure("'\(digits)' is no number that fits in 64 bits", at: start)
      }
      return .integer(value)
    }
    if digits.last == "e" || digits.last == "E", let sign = peek, sign == "-" || sign == "+" {
      place += 1
      digits += "\(sign)" + taking(Self.isNamePart)
    }
    if let value = Int64(digits) { return .integer(value) }
    guard let value = Double(digits) else {
      throw failure("'\(digits)' is neither a number nor a name", at: start)
    }
    guard value.isFinite else { throw failure("'\(digits)' is too large a number", at: start) }
    return .double(value)
  }

  // MARK: Characters

  private var peek: Unicode.Scalar? { place < characters.count ? characters[place] : nil }

  private mutating func taking(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    let taken = characters[place...].prefix(while: belongs)
    place = taken.endIndex
    return String(String.UnicodeScalarView(taken))
  }

  private func failure(_ message: String, at position: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, position: position, message: message)
  }

  static func isNameStart(_ character: Unicode.Scalar) -> Bool {
    character.properties.isAlphabetic || character == "_"
  }

  static func isNamePart(_ character: Unicode.Scalar) -> Bool {
    isNameStart(character) || character.properties.numericType != nil
      || character.properties.generalCategory == .nonspacingMark
  }
}
