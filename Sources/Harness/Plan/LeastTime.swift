package import Support
package import Workload

/// The time that a cell takes at least, on any machine:
///
///     start, make stores, baseline │ windows: `repeat_for_ms`, or until the last save is due
///           0.3 s or more          │
///
/// Rows and topology add the rest, and only a run can tell how much.
package struct LeastTime: Sendable {
  /// The cells of `drawing` take 0.39 s in `results/full`, with windows of 0.05 s.
  private static let besideWindows = Duration.milliseconds(300)

  package let ofCell: Duration

  /// - Throws: an error in a data file, as `Workload.make`.
  package init(_ scenario: Scenario, seed: UInt64) throws(InputError) {
    // Without due times, the changes need no planning.
    let changes = scenario.changes
    let hasDueTimes = changes.saves != nil || changes.pace.perSecond > 0
    let due = hasDueTimes ? try Workload.make(scenario, seed: seed).due.last : nil
    ofCell = Self.besideWindows + max(scenario.repeatFor, due ?? .zero)
  }
}
