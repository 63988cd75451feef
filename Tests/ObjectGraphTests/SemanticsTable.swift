// The documentation's table of behaviours:
//
//   | 38 |   | a new object's ID is temporary … | `a new object has …` SaveTests.swift |
//   | 10 |   | a confinement context …          | deviation: every context has a queue |
//   | 16 | ★ | a child's save …                 | not yet |

/// The documentation's statement on one behaviour.
struct SemanticsRow {
  enum Account: Equatable {
    /// Tests by sentence and file.
    case shown([Reference])
    case deviation(String)
    case notYet
  }

  struct Reference: Hashable {
    let sentence: String
    /// The file's name, without its folders.
    let file: String
  }

  /// The row's key: a number of the list, or `a`, `b`… of the known bugs.
  let key: String
  let isStarred: Bool
  let behaviour: String
  let account: Account

  var number: Int? { Int(key) }
}

/// The rows of the documentation's tables, with a check against the tests.
struct SemanticsTable {
  static let numbers = 1...128
  static let knownBugs = 23
  static let maximumDeviations = 10

  let rows: [SemanticsRow]

  init(markdown: String) {
    rows = markdown.split(separator: "\n").compactMap(Self.row)
  }

  private static func row(_ line: Substring) -> SemanticsRow? {
    let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
      String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard cells.count == 6, cells[1].wholeMatch(of: /\d+|[a-z]/) != nil else { return nil }
    return SemanticsRow(
      key: cells[1], isStarred: cells[2] == "★", behaviour: cells[3], account: account(cells[4]))
  }

  private static func account(_ cell: String) -> SemanticsRow.Account {
    if cell == "not yet" { return .notYet }
    if let reason = cell.wholeMatch(of: /deviation: (.+)/) { return .deviation(String(reason.1)) }
    return .shown(
      cell.matches(of: /`([^`]+)` (\w+\.swift)/).map {
        SemanticsRow.Reference(sentence: String($0.1), file: String($0.2))
      })
  }
}

extension SemanticsTable {
  var notYet: [String] { rows.filter { $0.account == .notYet }.map(\.key) }

  var deviations: [SemanticsRow] {
    rows.filter { if case .deviation = $0.account { true } else { false } }
  }

  /// The contradictions between table and tests; none if they agree.
  func faults(against tests: [NumberedTest]) -> [String] {
    faultsOfKeys + faultsOfDeviations + rows.flatMap { faults(of: $0, against: tests) }
      + strayNumbers(in: tests)
  }

  private var faultsOfKeys: [String] {
    let bugs = "abcdefghijklmnopqrstuvwxyz".prefix(Self.knownBugs).map(String.init)
    let expected = Self.numbers.map(String.init) + bugs
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
    guard case .shown(let references) = row.account else { return [] }
    guard !references.isEmpty else { return ["\(row.key) names no test"] }
    return references.compactMap { reference in
      let named = tests.filter {
        $0.sentence == reference.sentence && $0.file.hasSuffix("/\(reference.file)")
      }
      if named.isEmpty {
        return "\(row.key): there is no `\(reference.sentence)` in \(reference.file)"
      }
      guard let number = row.number, !named.contains(where: { $0.numbers.contains(number) }) else {
        return nil
      }
      return "\(row.key): `\(reference.sentence)` does not carry that number"
    }
  }

  /// Numbers in tests that the table does not list for them.
  private func strayNumbers(in tests: [NumberedTest]) -> [String] {
    let shown = Set(
      rows.compactMap { row -> Int? in
        if case .deviation = row.account { nil } else { row.number }
      })
    return tests.flatMap { test in
      test.numbers.subtracting(shown).sorted().map {
        "`\(test.sentence)` carries \($0), which the table does not show"
      }
    }
  }
}
