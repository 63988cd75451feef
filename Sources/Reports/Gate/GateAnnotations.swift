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
    text.replacingScalars { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: scalar.isInvisible ? scalar.escaped : nil
      }
    }
  }

  /// One line that the runner never takes for a command.
  private static func plain(_ text: String) -> String {
    let line = TextStyle(width: nil, isUTF8: true, hasColor: false).printable(text)
    return line.hasPrefix("::") ? " \(line)" : line
  }
}
