package import DataModel
import Foundation
package import Support

/// The user's changes, which are the same for every topology.
extension Workload {
  /// Edits on main, one row each. They touch no row, or no attribute, that the stream changes.
  package func userEdits(count: Int) -> [Change] { edits(0..<count) }

  func edits(_ numbers: Range<Int>) -> [Change] {
    numbers.map { number in
      let (key, value) = edit(number)
      let field = FieldChange(index: scenario.user.editedAttribute, value: value)
      return .update(key: key, fields: [field])
    }
  }

  package func expectedRows(afterEdits count: Int) -> [Row] {
    let after = tables[0].after
    var rows = after.rows
    // A scenario has a second worker or an editing user, never both.
    for number in 0..<max(count, scenario.changes.bySecondWorker) {
      let (key, value) = edit(number)
      guard let index = after.index(of: key) else { continue }
      rows[index][scenario.user.editedAttribute] = value
    }
    return rows
  }

  /// Rows that exist throughout, in a seeded order that repeats.
  package func userFetches(count: Int) -> [Value] {
    precondition(count == 0 || !lastingKeys.isEmpty, "no row is there before and after")
    guard count > 0 else { return [] }
    let keys = lastingKeys
    return (0..<count).map { keys[$0 % keys.count] }
  }

  /// The typed text of each search: words of rows that exist throughout, letter by letter.
  ///
  /// - Returns: the typed texts, and the last word.
  package func typed(
    _ count: Int, attribute: Int
  ) throws(InputError) -> (texts: [String], last: String) {
    guard count > 0 else { return ([], "") }
    try tables[0].requireWords(in: attribute, of: scenario)
    var (texts, last): ([String], String) = ([], "")
    while texts.count < count {
      for key in lastingKeys where texts.count < count {
        guard let word = tables[0].before[key]?[attribute].firstWord else { continue }
        last = String(word)
        texts += word.indices.map { String(word[...$0]) }
      }
    }
    return (Array(texts.prefix(count)), last)
  }

  /// In round *k* the value is *k* steps from its start, so that every edit changes something.
  private func edit(_ number: Int) -> (key: Value, value: Value) {
    let keys = editableKeys
    precondition(!keys.isEmpty, "no row is left to edit")
    let key = keys[number % keys.count]
    let round = number / keys.count + 1
    let attribute = scenario.user.editedAttribute
    let initial = tables[0].after[key]?[attribute] ?? .null
    return (key, initial.stepped(round, scenario.entity.attributes[attribute].type))
  }
}

extension TableRows {
  /// - Throws: an error if no row that is there before and after has a word for the user to type.
  package func requireWords(in attribute: Int, of scenario: Scenario) throws(InputError) {
    let hasWord = before.rows.contains { row in
      after[row[entity.keyIndex]] != nil && row[attribute].firstWord != nil
    }
    guard hasWord else {
      throw scenario.error(
        "user.search_where",
        message: "no row that stays has a word in \(entity.attributes[attribute].name)")
    }
  }
}

extension Value {
  fileprivate var firstWord: Substring? {
    if case .string(let text) = self {
      text.split(whereSeparator: \.isWhitespace).first
    } else {
      nil
    }
  }

  /// Null counts as zero or empty.
  func stepped(_ steps: Int, _ kind: AttributeType) -> Value {
    switch (self, kind) {
    case (.int64(let value), _): .int64(value &+ Int64(steps))
    case (.double(let value), _): .double(value + Double(steps))
    case (.bool(let value), _): .bool(value != (steps % 2 == 1))
    case (.string(let value), _): .string("\(value) *\(steps)")
    case (.date(let value), _): .date(value + Double(steps))
    case (.data(let value), _): .data(value + [UInt8(truncatingIfNeeded: steps)])
    case (.decimal(let value), _): .decimal(value.decimal + Decimal(steps))
    case (.uuid(let value), _): .uuid(value.stepped(steps))
    case (.uri(let value), _): .uri("\(value)/\(steps)")
    case (.object, _): preconditionFailure("a data file holds no object IDs")
    case (.null, .int64): .int64(Int64(steps))
    case (.null, .double): .double(Double(steps))
    case (.null, .bool): .bool(steps % 2 == 1)
    case (.null, .string): .string("*\(steps)")
    case (.null, .date): .date(secondsSince2001: Double(steps))
    case (.null, .data): .data(.init([UInt8(truncatingIfNeeded: steps)]))
    case (.null, .decimal): .decimal(Decimal(steps))
    case (.null, .uuid): .uuid(UUID(0, 0).stepped(steps))
    case (.null, .uri): .uri("https://example.com/\(steps)")
    }
  }
}

extension UUID {
  fileprivate func stepped(_ steps: Int) -> UUID {
    UUID(words.high, words.low &+ UInt64(truncatingIfNeeded: steps))
  }
}
