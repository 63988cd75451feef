import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct AsciiDocTests {
  private static func text(_ document: Document) -> String {
    DocumentFormat.asciidoc.render(
      document, TextStyle(width: nil, isUTF8: true, hasColor: false))
  }

  @Test func `each block has its markup`() {
    var table = Table(
      columns: [
        Table.Column(heading: "metric", kind: .code), Table.Column(heading: "total", unit: "ms"),
      ],
      rows: [
        Table.Row(group: "main-only", cells: ["total_ms", "+12.3"]),
        Table.Row(group: "refetch", cells: ["no figure"]),
      ])
    table.groupHeading = "topology"
    let document = Document(
      title: "A title",
      blocks: [
        .paragraph("1. plain"), .paragraph("The answer.", .answer),
        .section("Part", [.table(table), .paragraph("how to read it", .legend)]),
        .lines(["one", "two"]), .list(["first", "- second"]),
        .terms([Document.Term(name: "store", text: "pool")]),
      ])
    #expect(
      Self.text(document) == """
        = A title

        **The answer.**

        {empty}1. plain

        == Part

        [options="header",cols="<,<,>"]
        |===
        | topology | metric | total, ms
        | main-only | `total_ms` | +12.3
        | refetch | no figure | \("")
        |===

        [role="small"]
        how to read it

        one +
        two

        * first
        * - second

        store:: pool

        """)
  }

  @Test(arguments: [
    ("*b* _i_ `c` #m#", "&#42;b&#42; &#95;i&#95; &#96;c&#96; &#35;m&#35;"),
    ("a|b", "a&#124;b"), ("{name} include::x[]", "&#123;name&#125; include:&#58;x&#91;&#93;"),
    ("+20 % and +c+", "+20 % and &#43;c&#43;"), ("hard +", "hard &#43;"),
    ("https://x.example", "https:/&#47;x.example"), ("--format ...", "-&#45;format .&#46;&#46;"),
    ("(C) ((i)) (ms)", "&#40;C) &#40;(i)) (ms)"), ("two\nlines", "two lines"),
    ("\u{202E}x", "&#92;u&#123;202E&#125;x"),
    ("main_blocked_ms a__b", "main_blocked_ms a&#95;&#95;b"),
    ("12.3 – 1,000", "12.3 – 1,000"),
  ])
  func `text is shown as it is`(text: String, escaped: String) {
    #expect(AsciiDoc.escaped(text) == escaped)
  }

  @Test(arguments: [
    ("* item", "{empty}&#42; item"), (". item", "{empty}. item"), ("a. item", "{empty}a. item"),
    ("NOTE: text", "{empty}NOTE: text"), ("Trust: text", "Trust: text"), ("2 cells", "2 cells"),
  ])
  func `the start of a line begins no block`(text: String, escaped: String) {
    #expect(AsciiDoc.line(text) == escaped)
  }

  private static let documents: [@Sendable (String) -> Document] = [
    { Answer.document(HostileText.summary($0)) },
    { ComparisonReport.document(HostileText.comparison($0)) },
    { HostileText.gate($0).document }, { DuetAnswer.document(HostileText.duet($0)) },
  ]

  /// The characters of each line that are markup, without escaped ones.
  private static func markup(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(
        line.replacing(/&#[0-9]+;/, with: "").replacing("{empty}", with: "")
          .filter { "*_`#^~[]{}<>&|\\".contains($0) })
    }
  }

  @Test(arguments: HostileText.all)
  func `the markup is the same, whatever names hold`(hostile: String) {
    for document in Self.documents {
      let text = Self.text(document(hostile))
      #expect(Self.markup(text) == Self.markup(Self.text(document(HostileText.harmless))))
      #expect(text.unicodeScalars.filter { $0 != "\n" && $0.isInvisible } == [])
    }
  }

  @Test func `a row has a cell for each column`() {
    let text = Self.text(ComparisonReport.document(HostileText.comparison("a|b"), .everything))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count > 2 && Set(rows.map { $0.count { $0 == "|" } }).count == 1)
  }
}
