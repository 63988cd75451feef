import Foundation

// A comment with numbers says which behaviours a test shows:
//
//   // Semantics 38, 44         above a test, inside it, or above a suite for all its tests
//   // Semantics 84: a reason   with a remark

struct NumberedTest: Hashable {
  /// Relative to the tests' folder.
  let file: String
  let sentence: String
  let numbers: Set<Int>
}

struct NumberedTests {
  private(set) var tests: [NumberedTest] = []
  private let file: String
  private var ofSuite: Set<Int> = []
  private var above: Set<Int> = []

  static func all(in folder: URL) throws -> [NumberedTest] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    return try sources.sorted { $0.path < $1.path }.flatMap { source in
      let text = try String(contentsOf: source, encoding: .utf8)
      let name = source.path.dropFirst(folder.path.count).drop { $0 == "/" }
      return NumberedTests(file: String(name), text).tests
    }
  }

  init(file: String, _ text: String) {
    self.file = file
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    for (index, line) in lines.enumerated() {
      if let numbers = Self.numbers(line) {
        let next = lines[(index + 1)...].first { !$0.hasPrefix("//") } ?? ""
        note(numbers, isAbove: next.hasPrefix("@Test") || next.hasPrefix("@Suite"))
      } else if line.hasPrefix("@Suite") {
        (ofSuite, above) = (above, [])
      } else if let sentence = Self.sentence(line) {
        add(sentence, ofSuite.union(above))
        above = []
      }
    }
  }

  private mutating func note(_ numbers: Set<Int>, isAbove: Bool) {
    if isAbove {
      above.formUnion(numbers)
    } else if let last = tests.popLast() {
      add(last.sentence, last.numbers.union(numbers))
    }
  }

  private mutating func add(_ sentence: String, _ numbers: Set<Int>) {
    tests.append(NumberedTest(file: file, sentence: sentence, numbers: numbers))
  }

  private static func numbers(_ line: Substring) -> Set<Int>? {
    guard let match = line.wholeMatch(of: /\/\/ Semantics (\d+(?:, \d+)*)(?::.*)?/) else {
      return nil
    }
    return Set(match.1.split(separator: ", ").compactMap { Int($0) })
  }

  private static func sentence(_ line: Substring) -> String? {
    line.firstMatch(of: /func `([^`]+)`/).map { String($0.1) }
  }
}
