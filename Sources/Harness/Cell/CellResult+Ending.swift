import Judging
import Measurement
import Queues
import Repeats
import Support
import Workload

// A row's fields come in this order:
//
//   init(specification) ──▶ describe ──▶ finish, or fail ──▶ note(reruns, mark) in the parent

extension CellResult {
  /// The size of the work, before it begins.
  mutating func describe(_ cell: PreparedCell) {
    let counts = cell.workload.counts
    self.objects = cell.workload.tables.reduce(0) { $0 + $1.before.rows.count }
    self.inserts = counts.inserts
    self.updates = counts.updates
    self.deletes = counts.deletes
    self.saves = cell.batches.count + cell.secondBatches.count
    self.horizon = cell.scenario.horizon.milliseconds
  }

  /// Ends a cell whose repeats all ran.
  mutating func finish(
    _ outcomes: [RepeatOutcome], metrics: MetricValues, isCounted: Bool = false
  ) {
    self.metrics = metrics
    self.isCounted = isCounted
    self.repeats = outcomes.count
    self.fingerprint = outcomes.last?.fingerprint ?? ""
    if let wrong = outcomes.firstIndex(where: { $0.wrong != nil }) {
      return fail(.wrong, "repeat \(wrong + 1): \(outcomes[wrong].wrong ?? "")")
    }
    // A counted cell has no times that its clocks could disagree on.
    guard !isCounted else { return }
    let clocks = ClockAgreement(outcomes.map(\.clocks))
    if !clocks.holds { fail(.suspect, clocks.doubt) }
  }

  mutating func fail(_ status: CellStatus, _ error: String) {
    self.status = status
    self.error = error.oneLine
  }

  /// Adds what only the process that started the cell knows. A counted cell has no reruns.
  mutating func note(reruns: Int?, mark: DuetMark?) {
    if let reruns { metrics[.selfCheckReruns] = Double(reruns) }
    if let mark { duet = mark }
  }
}
