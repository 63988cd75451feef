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
    return (kept + [Self.plain(conclusion)]).joined(separator: "\n") + "\n"
  }

  private var gravest: [String] {
    result.problems.map { Self.annotation("error", "no baseline", $0.sentence) }
      + result.badCells.map {
        Self.annotation(
          "error", "\($0.key.topology) \($0.failure.status.rawValue)",
          "\(ComparisonSentences.place($0.key)): \($0.failure.error)")
      }
      + lines.filter { $0.mark == .fail }.map { annotation("error", $0) }
      + (result.outcome == .nothingCompared
        ? [Self.annotation("error", "nothing compared", conclusion)] : [])
  }

  private var notable: [String] {
    lines.filter { $0.mark == .inconclusive }.map { annotation("warning", $0) }
      + lines.filter { $0.mark == .waived }.map { annotation("notice", $0) }
  }

  private func annotation(_ level: String, _ line: GateLine) -> String {
    let sides = [line.baseline, line.candidate].filter { !$0.isEmpty }.joined(separator: " → ")
    let figures = [sides, line.change].filter { !$0.isEmpty }.joined(separator: ", ")
    return Self.annotation(
      level, "\(line.mark.rawValue): \(line.topology) \(line.subject)",
      "\(figures.isEmpty ? "" : "\(figures): ")\(line.sentence)")
  }

  private static func annotation(_ level: String, _ title: String, _ message: String) -> String {
    let title = escaped(ComparisonSentences.brief(title))
      .replacing(":", with: "%3A").replacing(",", with: "%2C")
    return "::\(level) title=\(title)::\(escaped(message))"
  }

  /// Escaped as the runner expects it.
  private static func escaped(_ text: String) -> String {
    text.escaped(["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  /// One line that the runner never takes for a command.
  private static func plain(_ text: String) -> String {
    let line = TextStyle(width: nil, isUTF8: true, hasColor: false).printable(text)
    return line.hasPrefix("::") ? " \(line)" : line
  }
}

// JUnit's XML as CI servers read it. An inconclusive decision is an error, so that no server
// counts it as passed.

extension GateReport {
  func junit() -> String {
    var suites = lines.grouped(by: place).map(suite)
    if !whole.isEmpty { suites.insert(Suite(name: "reports", cases: whole), at: 0) }
    let all = suites.flatMap(\.cases)
    let counts = Self.counts(all)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="topobench gate" \(counts)>
      \(suites.map(\.text).joined(separator: "\n"))
      </testsuites>

      """
  }

  private struct Case {
    var topology: String
    var name: String
    var kind: String?
    var message: String

    var text: String {
      let head =
        "    <testcase classname=\"\(XML.escaped(topology))\" name=\"\(XML.escaped(name))\""
      guard let kind else {
        return head + ">\n      <system-out>\(XML.escaped(message))</system-out>\n    </testcase>"
      }
      return head
        + ">\n      <\(kind) message=\"\(XML.escaped(message))\"/>\n    </testcase>"
    }
  }

  private struct Suite {
    var name: String
    var cases: [Case]

    var text: String {
      let cases = self.cases.map(\.text).joined(separator: "\n")
      return "  <testsuite name=\"\(XML.escaped(name))\" \(GateReport.counts(self.cases))>\n"
        + (cases.isEmpty ? "" : cases + "\n") + "  </testsuite>"
    }
  }

  private static func counts(_ cases: [Case]) -> String {
    "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.kind == "failure" })\" "
      + "errors=\"\(cases.count { $0.kind == "error" })\""
  }

  private func place(_ line: GateLine) -> String {
    line.key.map(ComparisonSentences.place) ?? "not measured"
  }

  private func suite(_ name: String, _ lines: [GateLine]) -> Suite {
    Suite(
      name: name,
      cases: lines.map { line in
        let kind: String? =
          switch line.mark {
          case .fail: "failure"
          case .inconclusive: "error"
          case .pass, .waived, .advice: nil
          }
        return Case(
          topology: line.topology, name: line.subject, kind: kind,
          message: "\(line.mark.rawValue): \(line.reason)")
      })
  }

  /// Problems of the reports as a whole.
  private var whole: [Case] {
    let nothing = result.outcome == .nothingCompared ? [conclusion] : []
    let narrowed =
      [("are narrowed", narrowing), ("lack a metric", unknown)].filter { !$1.isEmpty }
      .map { Case(topology: "reports", name: $0, kind: nil, message: $1) }
    return narrowed + errors("baseline", "can be used", result.problems.map(\.sentence))
      + errors("reports", "are compared", nothing)
      + result.badCells.map { bad in
        Case(
          topology: bad.key.topology, name: "every cell ends ok", kind: "failure",
          message: "\(bad.failure.cells) \(bad.failure.status.rawValue): \(bad.failure.error)")
      }
      + errors("reports", "few cells are suspect", result.suspects.map(\.sentence))
  }

  private func errors(_ topology: String, _ name: String, _ messages: [String]) -> [Case] {
    messages.map { Case(topology: topology, name: name, kind: "error", message: $0) }
  }
}

enum XML {
  /// Invisible characters become numbers: XML 1.0 cannot write some of them.
  static func escaped(_ text: String) -> String {
    text.escaped([
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\t": "&#9;", "\n": "&#10;",
      "\r": "&#13;",
    ])
  }
}
