import Foundation
import Judging
import Measurement
import Support
import Testing

@testable import Reports
@testable import topobench_lab

#if canImport(FoundationXML)
  import FoundationXML
#endif

// Each format is written with harmless and with hostile text in every field from outside. Both
// must have the same commands, cells and elements.

@Suite struct HostileTextTests {
  struct Renderer: Sendable, CustomTestStringConvertible {
    let name: String
    let render: @Sendable (String) -> String
    var testDescription: String { name }
  }

  private static func table(_ summary: Summary, isUTF8: Bool = true) -> String {
    AnswerTextTests.text(summary, style: HostileText.style(isUTF8: isUTF8))
  }

  private static func document(_ document: Document, _ format: DocumentFormat) -> String {
    format.render(document, HostileText.style(isUTF8: true))
  }

  // MARK: Terminals

  private static let terminal: [Renderer] = [
    Renderer(name: "answer") { table(HostileText.summary($0)) },
    Renderer(name: "sweep") { table(HostileText.sweep($0)) },
    Renderer(name: "comparison") {
      document(ComparisonReport.document([HostileText.comparison($0)]), .table)
    },
    Renderer(name: "gate") {
      document(HostileText.gate($0).document, .table)
    },
    Renderer(name: "duet") {
      DuetAnswerTests.text(HostileText.duet($0), style: HostileText.style(isUTF8: true))
    },
    Renderer(name: "topologies") {
      document(Listing(topologies: HostileText.topologies($0)).document, .table)
    },
    Renderer(name: "progress") { HostileText.progress($0, columns: 100) },
  ]

  @Test(arguments: terminal, HostileText.all)
  func `a terminal shows hostile text as text`(renderer: Renderer, hostile: String) {
    let shown = renderer.render(hostile)
    #expect(shown.unicodeScalars.filter { $0 != "\n" && $0.isInvisible } == [])
    #expect(HostileText.isShown(hostile, in: shown), "\(renderer.name) hides \(hostile)")
  }

  @Test(arguments: terminal + markdown + html, HostileText.all)
  func `a CI's log finds no command in an answer`(renderer: Renderer, hostile: String) {
    #expect(HostileText.commands(in: renderer.render(hostile)) == [], "\(renderer.name)")
  }

  @Test(arguments: HostileText.all)
  func `progress keeps to its line`(hostile: String) {
    for columns in [2, 40, 100] {
      let line = HostileText.progress(hostile, columns: columns)
      #expect(line.columns < columns && !line.contains { $0.isNewline }, "\(line)")
    }
    #expect(!HostileText.progress(hostile).contains { $0.isNewline })
  }

  @Test(arguments: HostileText.all)
  func `a terminal without UTF-8 gets hostile text as ASCII`(hostile: String) {
    #expect(Self.table(HostileText.summary(hostile), isUTF8: false).allSatisfy { $0.isASCII })
  }

  // MARK: Markdown

  private static let markdown: [Renderer] = [
    Renderer(name: "answer") { FormatsTests.markdown(HostileText.summary($0)) },
    Renderer(name: "sweep") { FormatsTests.markdown(HostileText.sweep($0)) },
    Renderer(name: "comparison") { ComparisonReportTests.markdown(HostileText.comparison($0)) },
    Renderer(name: "gate") {
      document(HostileText.gate($0).document, .markdown)
    },
    Renderer(name: "duet") { DuetAnswerTests.markdown(HostileText.duet($0)) },
    Renderer(name: "findings") { HostileText.findings($0).markdown },
  ]

  /// The special characters and automatic links of each line, without escaped ones.
  private static func markup(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // By scalars: a mark before `&` makes both one `Character`.
      let bare = line.replacing(/\\[!-\/:-@\[-`{-~]/.matchingSemantics(.unicodeScalar), with: "")
        .replacing(/&#?[a-z0-9]+;/.matchingSemantics(.unicodeScalar), with: "")
      let links = bare.matches(of: /:\/\/|www\.|@/.matchingSemantics(.unicodeScalar)).map {
        String($0.output)
      }
      let marks = bare.unicodeScalars.filter("`*_~[]<>|#\\".unicodeScalars.contains)
      return String(String.UnicodeScalarView(marks)) + links.joined()
    }
  }

  private static let harmlessMarkup = Dictionary(
    uniqueKeysWithValues: markdown.map { ($0.name, markup($0.render(HostileText.harmless))) })

  @Test(arguments: markdown, HostileText.all)
  func `Markdown has the same markup, whatever names hold`(renderer: Renderer, hostile: String)
    throws
  {
    let text = renderer.render(hostile)
    #expect(Self.markup(text) == Self.harmlessMarkup[renderer.name], "\(text)")
    #expect(text.unicodeScalars.filter { $0 != "\n" && $0.isInvisible } == [])
    #expect(text.contains(String(Markdown.escaped(hostile).prefix(7))), "\(text)")
  }

  @Test func `a long text stays short in a comparison`() {
    let long = String(repeating: "long ", count: 5000)
    let comparison = SampleComparisons.comparison(
      HostileText.cells("old", blocked: 10, long), HostileText.cells("new", blocked: 12, long),
      files: (long + ".csv", "new.csv"))
    #expect(ComparisonReportTests.text(comparison, width: 100).utf8.count < 12_000)
    #expect(ComparisonReportTests.markdown(comparison).utf8.count < 20_000)
  }

  // MARK: HTML

  private static let html: [Renderer] = [
    Renderer(name: "answer") {
      document(Answer.document(HostileText.summary($0)), .html)
    },
    Renderer(name: "comparison") {
      document(ComparisonReport.document([HostileText.comparison($0)]), .html)
    },
    Renderer(name: "gate") {
      document(HostileText.gate($0).document, .html)
    },
    Renderer(name: "duet") {
      document(DuetAnswer.document(HostileText.duet($0)), .html)
    },
  ]

  @Test(arguments: html, HostileText.all)
  func `HTML has the same elements, whatever names hold`(
    renderer: Renderer, hostile: String
  ) throws {
    let page = try ParsedPage.of(renderer.render(hostile))
    let harmless = try ParsedPage.of(renderer.render(HostileText.harmless))
    #expect(page.all.map(\.name) == harmless.all.map(\.name))
    let printable = HostileText.style(isUTF8: true).printable(hostile)
    #expect(page.text.contains(printable.prefix(3)), "\(renderer.name)")
  }

  // MARK: Files for machines

  @Test(arguments: HostileText.all)
  func `JUnit has the same elements, whatever names hold`(hostile: String) {
    func elements(_ text: String) -> ElementCounter {
      let report = HostileText.gate(text).junit()
      let counter = ElementCounter()
      let parser = XMLParser(data: Data(report.utf8))
      parser.delegate = counter
      #expect(parser.parse(), "\(report)")
      return counter
    }
    let (found, expected) = (elements(hostile), elements(HostileText.harmless))
    #expect(found.names == expected.names)
    let lines = hostile.unicodeScalars.split { ["\n", "\r", "\t"].contains($0) }
    let controls = found.texts.unicodeScalars.filter { $0.isInvisible }
    #expect(Set(controls).isSubset(of: ["\n", "\r", "\t"]))
    for line in lines { #expect(HostileText.isShown(String(line), in: found.texts)) }
    #expect(HostileText.commands(in: HostileText.gate(hostile).junit()) == [])
  }

  @Test(arguments: HostileText.all)
  func `annotations have the same commands, whatever names hold`(hostile: String) {
    func commands(_ text: String) -> [Substring] {
      HostileText.gate(text).annotations().split(whereSeparator: \.isNewline)
    }
    let (found, expected) = (commands(hostile), commands(HostileText.harmless))
    #expect(found.count == expected.count)
    for (line, other) in zip(found, expected) where other.hasPrefix("::") {
      #expect(line.prefix { $0 != " " } == other.prefix { $0 != " " }, "\(line)")
      // title=…::message: neither of them ends early.
      let title = line.unicodeScalars.dropFirst(2).prefix { $0 != ":" }
      #expect(!title.contains(","), "\(line)")
      #expect(line.unicodeScalars.filter(\.isInvisible) == [])
    }
    let plain = zip(found, expected).filter { !$1.hasPrefix("::") }.map { String($0.0) }
    #expect(plain.flatMap(HostileText.commands) == [])
  }

  @Test(arguments: HostileText.all)
  func `CSV and JSON return hostile text unchanged`(hostile: String) throws {
    let summary = HostileText.summary(hostile)
    let cells = try CellCSV.decode(
      try Answer.render(
        summary, as: .data(.csv), style: TextStyle()))
    #expect(Set(cells.map(\.scenario)) == [hostile] && Set(cells.map(\.label)) == [hostile])
    #expect(Set(cells.map(\.topology)) == ["main-only", hostile])
    let documents = [
      try Answer.json(summary), try Answer.json(HostileText.sweep(hostile)),
      try ComparisonReport.json(HostileText.comparison(hostile)),
      try HostileText.gate(hostile).json(),
      try DuetAnswer.json(HostileText.duet(hostile)),
    ]
    for text in documents {
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(Self.strings(json).contains(hostile))
      #expect(HostileText.commands(in: text) == [])
      #expect(text.unicodeScalars.filter { $0 != "\n" && $0.isInvisible } == [])
    }
  }

  @Test(arguments: HostileText.all)
  func `a comparison's CSV quotes hostile text`(hostile: String) {
    let comparison = HostileText.comparison(hostile)
    let csv = ComparisonReport.csv(comparison)
    for topology in comparison.topologies {
      #expect(csv.contains(",\(CSVWriter.field(topology.name)),main_blocked_ms,"))
    }
    #expect(!csv.contains(",=") && !csv.contains(",\"="))
  }

  private static func strings(_ json: Any) -> [String] {
    switch json {
    case let text as String: [text]
    case let array as [Any]: array.flatMap(strings)
    case let object as [String: Any]: object.values.flatMap(strings)
    default: []
    }
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  var names: [String] = []
  var texts = ""

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.append(name)
    texts += attributes.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { texts += string }
}
