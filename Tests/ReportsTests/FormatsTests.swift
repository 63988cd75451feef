import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct FormatsTests {
  static func markdown(_ summary: Summary) -> String {
    let style = TextStyle()
    return DocumentFormat.markdown.render(Answer.document(summary, .wide), style)
  }

  @Test func `three significant digits, none finer than a microsecond`() {
    let numbers: [(Double, String)] = [
      (0, "0"), (0.0001, "<0.001"), (0.0123, "0.012"), (0.1234, "0.123"), (0.9996, "1.00"),
      (1.234, "1.23"), (9.996, "10.0"), (12.34, "12.3"), (99.96, "100"), (123.4, "123"),
      (999.4, "999"), (999.6, "1,000"), (1234, "1,230"), (67_938, "67,900"),
      (1_234_567, "1,230,000"), (-12.34, "-12.3"),
    ]
    for (value, text) in numbers { #expect(Figures.short(value) == text) }
  }

  @Test(arguments: [
    (16.6, "16.6"), (16.69, "16.69"), (16.7, "16.7"), (16.7004, "16.7004"), (16.746, "16.75"),
    (99.97, "99.97"), (100, "100"), (100.4, "100.4"), (249.6, "249.6"), (250.04, "250.04"),
    (251.4, "251"), (3756.8, "3,760"), (0.0001, "<0.001"),
  ])
  func `a longest gap has as many digits as show which limits it passes`(
    gap: Double, text: String
  ) {
    #expect(Figures.gap(gap) == text)
  }

  @Test func `a figure beside any limit has as many digits as tell the two apart`() {
    #expect(Figures.distinct(12_346, from: [12_345]) == "12,346")
    #expect(Figures.distinct(12_346, from: [99]) == "12,300")
  }

  @Test func `counts are whole unless a median lies between two`() {
    #expect(Figures.count(12_345) == "12,345")
    #expect(Figures.count(2.5) == "2.5")
    #expect(Figures.whole(1_826) == "1,826")
  }

  @Test func `shares and ratios in words`() {
    #expect(Figures.percent(0.031) == "3.1 %")
    #expect(Figures.percent(0.0996) == "10 %")
    #expect(Figures.comparison(1.08) == "8 % longer" || Figures.comparison(1.08) == "8.0 % longer")
    #expect(Figures.comparison(3.682) == "3.68 times as long")
  }

  @Test func `numbers stand point under point`() {
    #expect(Figures.aligned(["12.3", "103", "0.52"]) == ["12.3 ", "103   ", "0.52"])
  }

  @Test(arguments: [
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("a|b", #"a\|b"#), ("*x* _y_ `z`", #"\*x\* \_y\_ \`z\`"#), ("[t](u)", #"\[t\](u)"#),
    ("two\nlines", "two lines"), ("@someone #1", "&#64;someone \\#1"),
    ("https://x.example", "https&#58;//x.example"), (#"\"#, #"\\"#), ("\u{202E}x", #"\\u{202E}x"#),
    ("www.x.example", "www&#46;x.example"), ("root-main-private", "root-main-private"),
  ])
  func `Markdown shows hostile text as it is`(text: String, escaped: String) {
    #expect(Markdown.escaped(text) == escaped)
  }

  @Test func `a Markdown table has as many cells in each row, whatever a name holds`() throws {
    let cells = SampleSummaries.cells("a|b\n<img>", 10) + SampleSummaries.cells("b", 20)
    let text = Self.markdown(Summary(cells: cells))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == 4)
    #expect(Set(rows.map { $0.split(separator: " | ").count }) == [16])
    #expect(text.contains(#"a\|b &lt;img&gt;"#) && !text.contains("<img>"))
    #expect(
      text.hasPrefix("### 5000-cities, pool store\n\n**No topology freezes the screen"), "\(text)")
    #expect(text.contains("a\\|b &lt;img&gt; blocks main least"))
    #expect(rows[0].contains("| blocked, ms | 95 % interval |"))
    #expect(rows[0].contains("| late frames |") && rows[0].hasSuffix("| ÷ raw SQLite | cells ok |"))
  }

  @Test func `colour and UTF-8 follow the environment`() {
    func style(_ environment: [String: String], terminal: Bool, columns: Int? = nil) -> TextStyle {
      TextStyle(environment: environment, isTerminal: terminal, columns: columns)
    }
    let utf8 = ["LANG": "en_US.UTF-8", "TERM": "xterm"]
    #expect(
      style(utf8, terminal: true, columns: 120)
        == TextStyle(width: 120, hasColor: true))
    #expect(!style(utf8.merging(["NO_COLOR": "1"]) { $1 }, terminal: true).hasColor)
    #expect(style(utf8.merging(["NO_COLOR": ""]) { $1 }, terminal: true).hasColor)
    #expect(!style(utf8.merging(["TERM": "dumb"]) { $1 }, terminal: true).hasColor)
    #expect(!style(utf8.merging(["LC_ALL": "C"]) { $1 }, terminal: true).isUTF8)
    #expect(style([:], terminal: false) == TextStyle(width: 100))
    #expect(style(["COLUMNS": "132"], terminal: false).width == 132)
    #expect(style([:], terminal: true, columns: 10).width == 60)
    #expect(style([:], terminal: true).width == 80)
  }
}

@Suite struct MetricsListTests {
  private func text(_ width: Int?) -> String {
    DocumentFormat.table.render(
      Listing(metrics: Metrics.all).document,
      TextStyle(width: width))
  }

  @Test func `each metric is listed with its kind, direction and meaning`() {
    let lines = text(120).split(separator: "\n")
    #expect(
      lines[0] == "metric                        kind         better  meaning")
    #expect(
      lines.contains(
        "main_blocked_ms               time         lower   "
          + "main's time in the database: executing and waiting"))
    #expect(
      lines.contains("main_commits                  exact count  lower   commits on main"))
    #expect(
      lines.contains(
        "changes_per_s                 rate         higher  "
          + "changes per second of the window"))
    for metric in Metrics.all {
      #expect(lines.count { $0.hasPrefix(metric.name + " ") } == 1)
    }
  }
}
