import Judging
import Measurement

/// The columns of a run's answer.
enum AnswerColumns {
  /// `1`, or `2=` where the rank is shared.
  static let rank = ValueColumn<TopologySummary>.leading("") { topology in
    topology.rank.map { "\($0)\(topology.isRankShared ? "=" : "")" } ?? Table.missing
  }

  static let name = ValueColumn<TopologySummary>.leading("topology", .label) { $0.name }

  static let all: [ValueColumn<TopologySummary>] = [
    metric("blocked", "ms", .mainBlocked),
    ValueColumn("95 % interval", "ms", .figure, stays: true) { interval($0, .mainBlocked) },
    metric("executing", "ms", .mainExecuting),
    metric("waiting", "ms", .mainWaiting),
    metric("longest", "ms", .mainLongestGap),
    ValueColumn("mostly", "", .words, stays: true) { $0.longestGapCause ?? Table.missing },
    metric("late", "frames", .framesLate, Figures.count),
    metric("visible", "ms", .visible),
    metric("durable", "ms", .durable),
    metric("deferred", "ms", .mainDeferred),
    metric("changes", "per s", .changesPerSecond),
    metric("total", "ms", .total),
    ValueColumn("÷ raw", "SQLite", stays: true) { topology in
      topology.ratioToRaw.map { Figures.short($0.median) } ?? Table.missing
    },
    ValueColumn("cells", "ok", .figure) { topology in
      topology.failures.isEmpty ? "\(topology.okCells)" : "\(topology.okCells) of \(topology.cells)"
    },
  ]

  static let legend = """
    blocked: main's time in the database, executing and waiting. longest: the longest gap, in which \
    main served no event, and what most of it was. deferred: what a scroll through the list cost later. \
    ÷ raw SQLite: total over the time of the same work by SQLite's C API. Medians over trials.
    """

  static func metric(
    _ heading: String, _ unit: String, _ key: Metric,
    _ text: @escaping @Sendable (Double) -> String = { Figures.short($0) }
  ) -> ValueColumn<TopologySummary> {
    ValueColumn(heading, unit) { $0.median(key).map(text) ?? Table.missing }
  }

  static func interval(_ topology: TopologySummary, _ metric: Metric) -> String {
    topology.estimate(metric)?.interval.map(Figures.interval) ?? Table.missing
  }
}
