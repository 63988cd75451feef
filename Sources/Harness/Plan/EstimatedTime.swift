package import Workload

/// About how long a cell takes on the machine of the reports in `results/full`:
///
///     start │ rows, changes, saves │ window │ rows, changes, saves │ window │ …
///           │ make the stores      ╰──────── a repeat ─────────────┴────────╯
///
/// Repeats follow one another until the windows add up to `repeat_for_ms`. The rates are fitted to
/// those reports. They leave out the prices of a device, and how much topologies differ.
package struct EstimatedTime: Sendable {
  private static let start = Duration.milliseconds(300)
  /// Without its changes.
  private static let window = Duration.milliseconds(50)
  private static let perRowOrChange = Duration.microseconds(20)
  private static let perSave = Duration.microseconds(300)
  private static let perByte = Duration.nanoseconds(15)

  /// Of one cell with all its repeats.
  package let ofCell: Duration

  package init(_ scenario: Scenario, _ size: WorkloadSize) {
    let work =
      Self.perRowOrChange * (size.rows + size.changes) + Self.perSave * size.saves
      + Self.perByte * size.bytes
    let window = max(size.lastDue, Self.window + Self.perRowOrChange * size.changes)
    let repeats = Int((scenario.repeatFor / window).rounded(.up))
    ofCell = Self.start + work + (window + work) * min(max(repeats, 1), CellRunner.mostRepeats)
  }
}
