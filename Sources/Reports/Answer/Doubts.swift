package import Judging
import Measurement

extension Sentences {
  /// What would make the answer doubtful, in one sentence, and how much the trials spread.
  package static func doubts(_ section: SummarySection) -> String {
    let clauses = section.diagnoses.map(\.clause)
    let spread = section.spread.map { spread in
      "Between trials, blocked time spreads by \(Figures.percent(spread)) (half the interquartile "
        + "range, median of the topologies)."
    }
    let doubts =
      clauses.isEmpty
      ? "Nothing that was measured makes this doubtful."
      : "What makes this doubtful: \(clauses.joined(separator: "; "))."
    return [doubts, spread].compactMap { $0 }.joined(separator: " ")
  }
}
