import Judging
import Measurement

enum AnswerColumns {
  /// `A`, `AB`.
  static let rank = ValueColumn<TopologySummary>.leading("") { letters($0.letters) }

  static let name = ValueColumn<TopologySummary>.leading("topology", .label) { $0.label }

  static let main: [ValueColumn<TopologySummary>] = [
    metric("blocked", "ms", Question.change.blocked), blockedInterval,
    longestGap, late, metric("visible", "ms", .visible),
  ]

  static let all: [ValueColumn<TopologySummary>] = [
    metric("blocked", "ms", Question.change.blocked), blockedInterval,
    metric("executing", "ms", .mainExecuting), metric("waiting", "ms", .mainWaiting), longestGap,
    ValueColumn("mostly", "", .words, stays: true) { $0.longestGapCause ?? Table.missing }, late,
    metric("visible", "ms", .visible), metric("durable", "ms", .durable),
    metric("deferred", "ms", .mainDeferred), metric("changes", "per s", .changesPerSecond),
    metric("total", "ms", .total),
    ValueColumn("÷ raw", "SQLite", stays: true) { topology in
      topology.ratioToRaw.map { Figures.short($0) } ?? Table.missing
    },
    ValueColumn("cells", "ok", .figure) { topology in
      topology.failures.isEmpty ? "\(topology.okCells)" : "\(topology.okCells) of \(topology.cells)"
    },
  ]

  /// Its heading is short, so that twenty topologies fit a terminal of 80 columns.
  static let blockedInterval = ValueColumn<TopologySummary>(
    "95 %", "interval", .figure, stays: true
  ) { interval($0, Question.change.blocked) }

  /// Excludes gaps that heartbeats or the harness caused; the CSV column includes them.
  static let longestGap = ValueColumn<TopologySummary>("longest", "gap, ms") { topology in
    topology.longestGap.map { Figures.short($0.median) } ?? Table.missing
  }

  static let late = ValueColumn<TopologySummary>("late", "frames") {
    $0.lateFrames.map(Figures.count) ?? Table.missing
  }

  static let briefLegend = "Medians over trials."

  static let legend = """
    Blocked: main's time in the database, executing and waiting. Longest gap: the longest time in \
    which main served no event, so the longest wait of a tap. Late frames: – where no frame was due \
    in a long gap. Medians over trials.
    """

  static let wideLegend = """
    \(legend) Mostly: the work that filled most of that gap. Deferred: the cost of a later scroll \
    through the list. ÷ raw SQLite: total over the time of the same work by SQLite's C API.
    """

  static func letters(_ letters: String) -> String { letters.isEmpty ? Table.missing : letters }

  static func metric(
    _ heading: String, _ unit: String, _ key: Metric
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit) { $0.median(key).map(Figures.short) ?? Table.missing }
  }

  static func interval(_ topology: TopologySummary, _ metric: Metric) -> String {
    topology.estimate(metric)?.interval.map(Figures.interval) ?? Table.missing
  }
}
