import Judging
import Measurement

@testable import Reports
@testable import topobench_lab

/// Text that no format may take for its own markup.
enum HostileText {
  static let all = [
    "<script>alert(1)</script> <!-- --> ]]> &amp; &#60;", #""double" 'single' `tick`"#,
    "\u{202E}txt.exe", "a\u{2066}b\u{2069}c\u{200B}d\u{FEFF}",
    "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m", "one\ntwo\r\n::error::three\u{2028}four\tfive",
    "a | b \\| c | **bold** _it_ ~~no~~ # ![x](y) [l](javascript:0) @someone #1",
    "https://evil.example www.evil.example %0A::warning title=x::%25,y:z",
    "https://\u{301}evil.example www.\u{301}evil.example",
    "=cmd|' /C calc'!A0", "'=1+1", "::error::at the start", "\u{2003} ::error::after blanks",
    "x\u{D4E},file=y\u{D4E}::z", ":\u{FE0F}:error::hidden", "##[error]a ###[b] ##vso[task]c", "```",
    "\u{0}\u{1}\u{FFFF}\u{E000}",
    "Z\u{336}a\u{336}l\u{336}g\u{336}o\u{336} é 中文 😀", String(repeating: "very~long~", count: 100),
  ]

  static let harmless = "no harm"

  /// The lines that a CI server executes, or that end a fence of Markdown.
  static func commands(in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map(String.init).filter { line in
      let scalars = Array(line.unicodeScalars)
      let start = scalars.drop { $0.properties.isWhitespace }
      let visible = start.filter { !$0.properties.isDefaultIgnorableCodePoint }
      return visible.starts(with: "::".unicodeScalars) || start == ["`", "`", "`"]
        || line.contains(/##[A-Za-z]*\[/.matchingSemantics(.unicodeScalar))
    }
  }

  /// Whether a text that escapes control characters and commands shows the beginning.
  static func isShown(_ hostile: String, in text: String) -> Bool {
    let printable = style(isUTF8: true).printable(hostile)
    return [printable, printable.asLogLine].contains {
      text.contains($0.split(separator: " ")[0].prefix(7))
    }
  }

  /// Cells with the text in every field that a report shows.
  static func cells(_ run: String, blocked: Double, _ text: String) -> [CellResult] {
    let topologies = ["main-only", text]
    return topologies.flatMap { topology in
      SampleComparisons.report(run, topology, blocked: blocked).map { spoilt($0, text) }
    } + [failed(run, text)]
  }

  private static func spoilt(_ cell: CellResult, _ text: String) -> CellResult {
    cell.with {
      ($0.scenario, $0.label, $0.parameters, $0.gitSHA) = (text, text, text, text)
      $0.metrics[label: .longestGapCause] = text
    }
  }

  private static func failed(_ run: String, _ text: String) -> CellResult {
    spoilt(SampleComparisons.report(run, text, blocked: 9)[0], text).with {
      ($0.trial, $0.order, $0.status, $0.error) = (99, 99, .crashed, text)
    }
  }

  static func summary(_ text: String) -> Summary {
    var context = RunContext()
    context.defaults[.init(scenario: text, parameters: text)] = [text]
    return Summary(cells: cells("new", blocked: 12, text), context: context)
  }

  static func sweep(_ text: String) -> Summary {
    let cells = ["1", text].enumerated().flatMap { place, value in
      ["main-only", text].flatMap { topology in
        SampleSummaries.cells(topology, Double(10 + place)).with {
          $0 = spoilt($0, text)
          $0.topology = topology
          $0.parameters = "{\"field\":\(Self.json(value)),\"other\":\(Self.json(text))}"
        }
      }
    }
    return Summary(cells: cells)
  }

  private static func json(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\"
        ? "\\\(scalar)"
        : scalar.value < 0x20
          ? "\\u00" + (scalar.value < 16 ? "0" : "")
            + String(scalar.value, radix: 16) : "\(scalar)"
    }
    return "\"\(scalars.joined())\""
  }

  static func comparison(_ text: String) -> Comparison {
    SampleComparisons.comparison(
      cells("old", blocked: 10, text), cells("new", blocked: 12, text),
      diagnoses: [Diagnosis(text, evidence: text, remedy: text)], files: (text + ".csv", text))
  }

  static func gate(_ text: String) -> GateReport {
    GateReport.sample {
      ($0.scenario, $0.slower, $0.crashes) = (text, 1.3, true)
      $0.topologies = [text, "main-only", "\(text) again"]
      $0.policy = .sample
      $0.policy.expectations = [Expectation(better: text, worse: "main-only")]
      $0.policy.only = $0.topologies
      $0.error = text
    }
  }

  static func duet(_ text: String) -> DuetReport {
    DuetAnswerTests.report(status: .crashed, text: text).report
  }

  static func findings(_ text: String) -> FindingsPage {
    FindingsPage(
      Findings(
        [
          Findings.Report(
            file: text, machine: text, questions: [text: text], cells: summary(text).cells)
        ],
        advice: [Advice(text, scenario: text, recommends: text, over: "main-only")]))
  }

  static func topologies(_ text: String) -> [TopologiesList.Entry] {
    [
      TopologiesList.Entry(
        name: text, marks: [text], picture: text, knownAs: [text], summary: text, mainCosts: text,
        chooseWhen: text)
    ]
  }

  static func progress(_ text: String, columns: Int? = nil) -> String {
    var progress = RunProgress()
    let cell = failed("r", text)
    progress.plan([CellKey(cell), CellKey(cell)])
    progress.end(CellKey(cell), as: cell, at: .seconds(1))
    return progress.line(at: .seconds(2), style: style(isUTF8: true), columns: columns)
  }

  static func style(isUTF8: Bool) -> TextStyle {
    TextStyle(width: 100, isUTF8: isUTF8)
  }
}
