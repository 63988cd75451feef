import Judging
import Measurement

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
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      default: scalar.isInvisible ? scalar.escaped : nil
      }
    }
  }
}
