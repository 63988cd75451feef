// The documentation's tables of behaviours and of known mistakes:
//
//   | 10 |   | a confinement context … Deviation: … |
//   | a  | nested contexts that are absent or only look so | 17 |
//   | l  | null taken for a value … | `an explicit null is …` KnownMistakesTests.swift |
//
// A number stands in a comment above each test that shows the behaviour.

struct SemanticsRow {
  enum Account: Equatable {
    case numbered
    /// Found by tests that the row names, or by those of other rows.
    case named([Reference], rows: [Int])
    case deviation
  }

  struct Reference: Hashable {
    let sentence: String
    /// Without folders.
    let file: String
  }

  /// A number, or `a`, `b`… of the known mistakes.
  let key: String
  let isStarred: Bool
  let account: Account

  var number: Int? { Int(key) }
}

struct SemanticsTable {
  static let numbers = 1...131
  static let knownMistakes = 23
  static let maximumDeviations = 10

  let rows: [SemanticsRow]

  init(markdown: String) {
    rows = markdown.split(separator: "\n").compactMap(Self.row)
  }

  private static func row(_ line: Substring) -> SemanticsRow? {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard cells.count == 5, cells[1].wholeMatch(of: /\d+|[a-z]/) != nil else { return nil }
    return SemanticsRow(
      key: cells[1], isStarred: cells[2] == "★",
      account: Int(cells[1]) == nil
        ? .named(references(cells[3]), rows: others(cells[3]))
        : cells[3].contains("Deviation: ") ? .deviation : .numbered)
  }

  private static func others(_ cell: String) -> [Int] {
    let list = cell.prefix { $0 != "`" }.split(separator: ",")
    return list.compactMap { Int($0.filter { $0 != " " }) }
  }

  private static func references(_ cell: String) -> [SemanticsRow.Reference] {
    cell.matches(of: /`([^`]+)` (\w+\.swift)/).map {
      SemanticsRow.Reference(sentence: String($0.1), file: String($0.2))
    }
  }
}

extension SemanticsTable {
  var deviations: [SemanticsRow] { rows.filter { $0.account == .deviation } }

  func faults(against tests: [NumberedTest]) -> [String] {
    faultsOfKeys + faultsOfDeviations + rows.flatMap { faults(of: $0, against: tests) }
      + strayNumbers(in: tests)
  }

  private var faultsOfKeys: [String] {
    let mistakes = "abcdefghijklmnopqrstuvwxyz".prefix(Self.knownMistakes).map(String.init)
    let expected = Self.numbers.map(String.init) + mistakes
    let counts = Dictionary(rows.map { ($0.key, 1) }, uniquingKeysWith: +)
    return expected.filter { counts[$0] != 1 }.map { "\($0) has \(counts[$0] ?? 0) rows" }
      + counts.keys.filter { !expected.contains($0) }.sorted().map { "\($0) is not in the list" }
  }

  private var faultsOfDeviations: [String] {
    let tooMany = deviations.count > Self.maximumDeviations
    return deviations.filter(\.isStarred).map { "\($0.key) has a star and may not deviate" }
      + (tooMany ? ["\(deviations.count) deviations are more than \(Self.maximumDeviations)"] : [])
  }

  private func faults(of row: SemanticsRow, against tests: [NumberedTest]) -> [String] {
    switch row.account {
    case .deviation: return []
    case .numbered:
      let isShown = tests.contains { test in row.number.map(test.numbers.contains) == true }
      return isShown ? [] : ["no test carries \(row.key)"]
    case .named(let references, let others):
      guard !references.isEmpty || !others.isEmpty else { return ["\(row.key) names no test"] }
      let unknown = others.filter { !Self.numbers.contains($0) }
      return unknown.map { "\(row.key): there is no row \($0)" }
        + references.filter { reference in
          !tests.contains {
            $0.sentence == reference.sentence && $0.file.hasSuffix("/\(reference.file)")
          }
        }.map { "\(row.key): there is no `\($0.sentence)` in \($0.file)" }
    }
  }

  private func strayNumbers(in tests: [NumberedTest]) -> [String] {
    let shown = Set(rows.filter { $0.account == .numbered }.compactMap(\.number))
    return tests.flatMap { test in
      test.numbers.subtracting(shown).sorted().map {
        "`\(test.sentence)` carries \($0), which the table does not show"
      }
    }
  }
}
