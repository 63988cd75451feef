import Judging
import Measurement

// GitHub shows ten annotations of a kind for each step. So at most ten are written, the gravest
// first; the last one counts the rest.

extension GateReport {
  static let mostAnnotations = 10

  /// Workflow commands for GitHub Actions, then the conclusion as plain text.
  func annotations() -> String {
    let all = gravest + notable
    let kept =
      all.count <= Self.mostAnnotations
      ? all
      : all.prefix(Self.mostAnnotations - 1) + [
        Self.annotation(
          "warning", "topobench",
          "… and \(all.count - Self.mostAnnotations + 1) more: see the "
            + "gate's table")
      ]
    return (kept + [TextStyle().printable(conclusion).asLogLine]).joined(separator: "\n") + "\n"
  }

  private var gravest: [String] {
    result.problems.map { Self.annotation("error", "no baseline", $0.sentence) }
      + result.badCells.map {
        Self.annotation(
          "error", "\($0.key.topology) \($0.failure.status.rawValue)",
          "\($0.key.place): \($0.failure.error)")
      }
      + lines.filter { $0.mark == .fail }.map { annotation("error", $0) }
      + (result.outcome == .nothingCompared
        ? [Self.annotation("error", "nothing compared", conclusion)] : [])
  }

  private var notable: [String] {
    result.suspects.map { Self.annotation("warning", "suspect cells", $0.sentence) }
      + lines.filter { $0.mark == .inconclusive }.map { annotation("warning", $0) }
      + lines.filter { $0.mark == .waived }.map { annotation("notice", $0) }
  }

  private func annotation(_ level: String, _ line: GateLine) -> String {
    let sides = [line.baseline, line.candidate].filter { !$0.isEmpty }.joined(separator: " → ")
    let figures = [sides, line.change].filter { !["", Table.missing].contains($0) }
      .joined(separator: ", ")
    return Self.annotation(
      level, "\(line.mark.rawValue): \(line.topology) \(line.subject)",
      "\(figures.isEmpty ? "" : "\(figures): ")\(line.sentence)")
  }

  private static func annotation(_ level: String, _ title: String, _ message: String) -> String {
    let codes: [Unicode.Scalar: String] = [":": "%3A", ",": "%2C"]
    let title = escaped(title.brief).replacingScalars { codes[$0] }
    return "::\(level) title=\(title)::\(escaped(message))"
  }

  /// Escaped as the runner expects it. Scalars decide: a comma after U+0D4E is no `Character`.
  private static func escaped(_ text: String) -> String {
    let codes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
    return text.asLogLine.replacingScalars { codes[$0] ?? ($0.isInvisible ? $0.escaped : nil) }
  }
}

// JUnit's XML as CI servers read it. An inconclusive decision is an error, so that no server
// counts it as passed.

extension GateReport {
  func junit() -> String {
    let places = lines.grouped { $0.key?.place ?? "not measured" }
      .map { (name: $0.key, cases: $0.elements.map(Case.init)) }
    let suites = (whole.isEmpty ? [] : [(name: "reports", cases: whole)]) + places
    let all = Self.suite(
      "testsuites", "topobench gate", suites.flatMap(\.cases),
      suites.map { Self.suite("testsuite", $0.name, $0.cases, $0.cases.map(\.element)) })
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(all.markup)\n"
  }

  private static func suite(
    _ element: StaticString, _ name: String, _ cases: [Case], _ content: [HTML]
  ) -> HTML {
    .element(
      element,
      [
        "name": name, "tests": "\(cases.count)",
        "failures": "\(cases.count { $0.outcome == .failure })",
        "errors": "\(cases.count { $0.outcome == .error })",
      ], .joined(content.map { .joined([.lineBreak, $0]) } + [.lineBreak]))
  }

  private struct Case {
    enum Outcome { case passed, failure, error }

    let topology: String
    let name: String
    let outcome: Outcome
    let message: String

    init(_ topology: String, _ name: String, _ outcome: Outcome, _ message: String) {
      (self.topology, self.name, self.outcome, self.message) = (topology, name, outcome, message)
    }

    init(_ line: GateLine) {
      let outcome: Outcome =
        switch line.mark {
        case .fail: .failure
        case .inconclusive: .error
        case .pass, .waived, .advice: .passed
        }
      self.init(line.topology, line.subject, outcome, "\(line.mark.rawValue): \(line.reason)")
    }

    var element: HTML {
      tag("testcase", ["classname": topology, "name": name]) {
        switch outcome {
        case .passed: tag("system-out") { message }
        case .failure: HTML.void("failure", ["message": message])
        case .error: HTML.void("error", ["message": message])
        }
      }
    }
  }

  /// Problems of the reports as a whole.
  private var whole: [Case] {
    let narrowed = [("are narrowed", narrowing), ("lack a metric", unknown)]
      .filter { !$1.isEmpty }.map { Case("reports", $0, .passed, $1) }
    let nothing = result.outcome == .nothingCompared ? [conclusion] : []
    return narrowed
      + result.problems.map { Case("baseline", "can be used", .error, $0.sentence) }
      + nothing.map { Case("reports", "are compared", .error, $0) }
      + result.badCells.map { bad in
        Case(
          bad.key.topology, "every cell ends ok", .failure,
          "\(bad.failure.cells) \(bad.failure.status.rawValue): \(bad.failure.error)")
      }
      + result.suspects.map { Case("reports", "few cells are suspect", .error, $0.sentence) }
  }
}
