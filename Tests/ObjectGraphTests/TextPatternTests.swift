import Dispatch
import ObjectGraph
import Queues
import Testing

// Semantics 99
@Suite("Text patterns") struct TextPatternTests {
  private func matches(
    _ operation: TextOperator, _ pattern: String, _ text: String, _ options: TextOptions = []
  ) throws -> Bool {
    try #require(TextPattern(operation, options, pattern)).matches(text)
  }

  @Test(arguments: [
    ("", "", true), ("", "a", false), ("*", "", true), ("?", "", false), ("?", "é", true),
    ("?", "e\u{301}", false), ("??", "e\u{301}", true), ("?", "😀", true),
    ("a*b*c", "aXbYbZc", true),
    ("a*b*c", "aXbYbZ", false), ("*é", "éaé", true), ("**", "x", true), ("a\\*", "a*", true),
    ("a\\*", "ab", false), ("a\\?", "a?", true), ("\\\\", "\\", true), ("a\\", "a\\", true),
    ("*a", "aaaaaaaaab", false), ("a?c", "abc", true), ("a\nb", "a\nb", true), ("*b", "a\nb", true),
  ])
  func `wildcards match characters`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try matches(.like, pattern, text) == isMatch)
  }

  @Test(
    arguments: [
      ("straße", "STRASSE", TextOptions.caseInsensitive, true), ("É", "é", .caseInsensitive, true),
      ("e\u{301}", "é", .caseInsensitive, true), ("e", "é", .caseInsensitive, false),
      ("e", "é", .diacriticInsensitive, true), ("E", "é", .diacriticInsensitive, false),
      ("AEIOU", "áéíóú", [.caseInsensitive, .diacriticInsensitive], true),
      ("é", "e\u{301}", [], false),
    ] as [(String, String, TextOptions, Bool)])
  func `text is equal under the options`(
    a: String, b: String, options: TextOptions, isSame: Bool
  ) throws {
    #expect((Value.string(a).folded(options) == Value.string(b).folded(options)) == isSame)
    for operation in [TextOperator.beginsWith, .endsWith, .contains, .like, .matches] {
      #expect(try matches(operation, a, b, options) == isSame, "\(operation)")
    }
  }

  @Test func `a pattern cannot close the brackets around it`() throws {
    #expect(TextPattern(.matches, [], "a)|(b") == nil)
    #expect(TextPattern(.matches, [], "(") == nil)
    #expect(try !matches(.matches, "a|b", "ab"))
    #expect(try matches(.matches, "", ""))
  }

  @Test func `one pattern matches texts on several threads at once`() throws {
    let patterns = try [
      #require(TextPattern(.matches, .caseInsensitive, "city [0-9]*7")),
      #require(TextPattern(.like, [], "*7")),
      #require(TextPattern(.endsWith, .diacriticInsensitive, "7")),
    ]
    let wrong = Lock(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 0..<3000 {
        let text = "city \(number * 4 + thread)"
        let found = patterns.map { $0.matches(text) }
        if found.contains(where: { $0 != text.hasSuffix("7") }) { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
  }
}
