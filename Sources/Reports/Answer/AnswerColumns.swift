import Judging
import Measurement

enum AnswerColumns {
  /// `A`, `AB`.
  static let rank = ValueColumn<TopologySummary>.leading("") { letters($0.letters) }

  static let name = ValueColumn<TopologySummary>.leading("topology", .label) { $0.label }

  /// The interval's heading is short, so that twenty topologies fit a terminal of 80 columns.
  static func main(_ question: Question) -> [ValueColumn<TopologySummary>] {
    let columns = [
      metric("blocked", "ms", question.blocked),
      ValueColumn("95 %", "interval", .figure, stays: true) { interval($0, question.blocked) },
      longestGap,
    ]
    switch question.phase {
    case .change: return columns + [late, metric("visible", "ms", .visible)]
    case .open: return columns + counts(question) + [metric("visible", "ms", .openVisible)]
    case .scroll: return columns + counts(question)
    }
  }

  private static func counts(_ question: Question) -> [ValueColumn<TopologySummary>] {
    [
      count("rows", "read", question.causes[0].metric),
      count("state-", "ments", question.statements),
    ]
  }

  static func all(_ question: Question) -> [ValueColumn<TopologySummary>] {
    let rest = [ratio, cells]
    guard question.phase == .change else { return main(question) + rest }
    var columns = main(question)
    columns.insert(mostly, at: 3)
    columns.insert(
      contentsOf: [
        metric("executing", "ms", .mainExecuting), metric("waiting", "ms", .mainWaiting),
      ], at: 2)
    columns += [
      metric("durable", "ms", .durable), metric("deferred", "ms", .mainDeferred),
      metric("changes", "per s", .changesPerSecond), metric("total", "ms", .total),
    ]
    return columns + rest
  }

  /// Empty if the user asked nothing.
  static func answers(_ section: SummarySection) -> [ValueColumn<TopologySummary>] {
    section.topologies.contains { $0.median(.answerMax) != nil }
      ? [metric("answer", "ms", .answerMax)] : []
  }

  private static let mostly = ValueColumn<TopologySummary>("mostly", "", .words, stays: true) {
    $0.longestGapCause ?? Table.missing
  }

  private static let ratio = ValueColumn<TopologySummary>("÷ raw", "SQLite", stays: true) {
    topology in topology.ratioToRaw.map { Figures.short($0) } ?? Table.missing
  }

  private static let cells = ValueColumn<TopologySummary>("cells", "ok", .figure) { topology in
    topology.failures.isEmpty ? "\(topology.okCells)" : "\(topology.okCells) of \(topology.cells)"
  }

  /// Excludes gaps that heartbeats or the harness caused; the CSV column includes them.
  static let longestGap = ValueColumn<TopologySummary>("longest", "gap, ms") { topology in
    topology.longestGap.map { Figures.gap($0.median) } ?? Table.missing
  }

  static let late = ValueColumn<TopologySummary>("late", "frames") {
    $0.lateFrames.map(Figures.count) ?? Table.missing
  }

  static let briefLegend = "Medians over trials."

  static func legend(_ section: SummarySection) -> String {
    let late =
      section.question.phase == .change
      ? " Late frames: – where a gap over a frame has no late frame." : ""
    let answer =
      answers(section).isEmpty
      ? "" : " Answer: the longest time from a count or search until main had read its answer."
    return """
      Blocked: main's time in the database, executing and waiting. Longest gap: the longest time \
      in which main served no event, so the longest wait of a tap.\(late)\(answer) Medians over trials.
      """
  }

  static func wideLegend(_ section: SummarySection) -> String {
    switch section.question.phase {
    case .change:
      """
      \(legend(section)) Mostly: the work that filled most of that gap. Deferred: the cost of a \
      later scroll through the list. ÷ raw SQLite: total over the time of the same work by \
      SQLite's C API.
      """
    case .open:
      """
      \(legend(section)) ÷ raw SQLite: visible over the time of the list's query by SQLite's C \
      API. The store's file is in memory already.
      """
    case .scroll: legend(section)
    }
  }

  static func letters(_ letters: String) -> String { letters.isEmpty ? Table.missing : letters }

  static func metric(
    _ heading: String, _ unit: String, _ key: Metric
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit) { $0.median(key).map(Figures.short) ?? Table.missing }
  }

  static func count(
    _ heading: String, _ unit: String, _ key: Metric
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit) { $0.median(key).map(Figures.count) ?? Table.missing }
  }

  static func interval(_ topology: TopologySummary, _ metric: Metric) -> String {
    topology.estimate(metric)?.interval.map(Figures.interval) ?? Table.missing
  }
}
