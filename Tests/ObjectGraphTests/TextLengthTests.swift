import ObjectGraph
import TestSupport
import Testing

@Suite("Lengths of texts") struct TextLengthTests {
  // Semantics 66
  @Test(arguments: [
    ("ab", 0), ("abcd", 0), ("a", 1670), ("abcde", 1660),
    // Each is one letter: surrogates, a letter with its accent, and a composed one.
    ("\u{1F44D}", 0), ("e\u{301}", 0), ("\u{E9}", 1670),
    ("\u{1F44D}\u{1F44D}", 0), ("\u{1F44D}\u{1F44D}a", 1660), ("\r\n", 0),
    // Three people, joined to one letter.
    ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 1660),
  ])
  func `validation counts the UTF-16 units of a text, as NSString does`(
    text: String, expected: Int
  ) throws {
    let validation = AttributeValidation(minimumLength: 2, maximumLength: 4)
    let thing = try Entity(
      name: "Thing",
      attributes: [AttributeDescription("title", .string, validation: validation)])
    let store = try TestStore(model: try Model([thing]))
    let context = store.context()
    context.performAndWait {
      _ = context.insert(thing, values: [.string(text)])
      var code = 0
      do { try context.save() } catch { code = (error as? SaveError)?.code ?? -1 }
      #expect(code == expected)
    }
  }
}
