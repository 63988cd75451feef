import Judging
import Measurement

/// The columns of an answer, the same in every format that is read by people.
struct AnswerColumn: Sendable {
  let heading: String
  let unit: String
  let isNumeric: Bool
  let staysWithPrevious: Bool
  let text: @Sendable (TopologySummary) -> String

  static let missing = "–"

  /// `1`, or `2=` where the rank is shared.
  static let rank = AnswerColumn("", numeric: false) { topology in
    topology.rank.map { "\($0)\(topology.isRankShared ? "=" : "")" } ?? missing
  }

  static let name = AnswerColumn("topology", numeric: false) { $0.name }

  static let all: [AnswerColumn] = [
    metric("blocked", "ms", "main_blocked_ms"),
    AnswerColumn("95 % interval", "ms", stays: true) { interval($0.estimates["main_blocked_ms"]) },
    metric("executing", "ms", "main_executing_ms"),
    metric("waiting", "ms", "main_waiting_ms"),
    metric("longest", "ms", "main_longest_gap_ms"),
    AnswerColumn("mostly", numeric: false, stays: true) { $0.longestGapCause ?? missing },
    metric("late", "frames", "frames_late", Figures.count),
    metric("visible", "ms", "visible_ms"),
    metric("durable", "ms", "durable_ms"),
    metric("after", "ms", "main_deferred_ms"),
    metric("changes", "per s", "changes_per_s"),
    metric("total", "ms", "total_ms"),
    AnswerColumn("÷ raw", "SQLite", stays: true) { topology in
      topology.ratioToRawSQLite.map { Figures.short($0.median) } ?? missing
    },
    AnswerColumn("cells", "ok") { topology in
      topology.failures.isEmpty ? "\(topology.okCells)" : "\(topology.okCells) of \(topology.cells)"
    },
  ]

  /// What the columns mean, for who sees them for the first time.
  static let legend = """
    blocked: main's time in the database, executing and waiting. longest: the longest that main \
    served no event, and what most of it was. after: what a scroll through the list cost later. \
    ÷ raw SQLite: total over the time of the same work by SQLite's C API. Medians over trials.
    """

  private init(
    _ heading: String, _ unit: String = "", numeric: Bool = true, stays: Bool = false,
    text: @escaping @Sendable (TopologySummary) -> String
  ) {
    self.heading = heading
    self.unit = unit
    isNumeric = numeric
    staysWithPrevious = stays
    self.text = text
  }

  private static func metric(
    _ heading: String, _ unit: String, _ name: String,
    _ text: @escaping @Sendable (Double) -> String = { Figures.short($0) }
  ) -> AnswerColumn {
    AnswerColumn(heading, unit) { $0.median(name).map(text) ?? missing }
  }

  private static func interval(_ estimate: Estimate?) -> String {
    guard let interval = estimate?.interval else { return missing }
    return "\(Figures.short(interval.lower))–\(Figures.short(interval.upper))"
  }
}
