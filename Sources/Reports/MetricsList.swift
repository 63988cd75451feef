import Measurement

/// What `topobench list metrics` prints.
package enum MetricsList {
  /// One line a metric, in the order of the columns; meanings are wrapped where the page is narrow.
  package static func text(style: TextStyle) -> String {
    let nameWidth = Metrics.all.map(\.name.columns).max() ?? 0
    let kindWidth = Metrics.all.map { kind($0).columns }.max() ?? 0
    let indent = nameWidth + kindWidth + "higher".columns + 3 * gap
    let room = style.width.map { max(20, $0 - indent) }
    var lines = [
      style.emphasised(
        line("metric", "kind", "better", "meaning", nameWidth, kindWidth), .bold)
    ]
    for metric in Metrics.all {
      let better = metric.better == .neither ? style.printable("–") : metric.better.rawValue
      let meaning = style.printable(metric.meaning).wrapped(to: room)
      lines.append(line(metric.name, kind(metric), better, meaning[0], nameWidth, kindWidth))
      lines += meaning.dropFirst().map { String(repeating: " ", count: indent) + $0 }
    }
    return (lines + [""] + note.wrapped(to: style.width)).joined(separator: "\n") + "\n"
  }

  package static func markdown() -> String {
    let rows = Metrics.all.map { metric in
      let better = metric.better == .neither ? "" : metric.better.rawValue
      return "| `\(metric.name)` | \(Markdown.escaped(metric.unit)) | \(kind(metric)) "
        + "| \(better) | \(Markdown.escaped(metric.meaning)) |"
    }
    let head = ["| column | unit | kind | better | meaning |", "| --- | --- | --- | --- | --- |"]
    return (head + rows + ["", note]).joined(separator: "\n") + "\n"
  }

  private static let gap = 2

  private static let note = """
    A unit is the end of a column's name. An exact count does not depend on scheduling: equal work \
    gives an equal count, so any increase is a regression. Times, percentiles and rates are judged \
    by statistics over trials; what is neither better higher nor lower describes and is not judged.
    """

  private static func kind(_ metric: MetricDefinition) -> String {
    metric.isIndependentOfScheduling ? "exact count" : metric.kind.rawValue
  }

  private static func line(
    _ name: String, _ kind: String, _ better: String, _ meaning: String, _ nameWidth: Int,
    _ kindWidth: Int
  ) -> String {
    let gap = String(repeating: " ", count: gap)
    return [
      name.padded(to: nameWidth, onLeft: false), kind.padded(to: kindWidth, onLeft: false),
      better.padded(to: "higher".columns, onLeft: false), meaning,
    ].joined(separator: gap)
  }
}
