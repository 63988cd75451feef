package import Foundation
package import Judging
import Measurement
import Workload

package struct PairRequest: Sendable {
  package var binaries: DuetBinaries
  /// `scenario` is an index into the binaries' scenarios.
  package var variants: [Variant]
  package var seed: UInt64
  package var orderSeed: UInt64
  /// An existing folder.
  package var folder: URL
  package var timeLimit: Duration
  /// The side to record, beside this CSV file.
  package var recording: (side: Side, csv: URL)?
  package var callgrinds: [Side: Callgrind] = [:]
  /// Repeats the work as often as a run does, for percentiles that need many beats.
  package var hasFullRepeats = false

  /// - Parameter orderSeed: nil to use `seed`.
  package init(
    binaries: DuetBinaries, variants: [Variant], seed: UInt64, orderSeed: UInt64? = nil,
    folder: URL, timeLimit: Duration
  ) {
    self.binaries = binaries
    self.variants = variants
    self.seed = seed
    self.orderSeed = orderSeed ?? seed
    self.folder = folder
    self.timeLimit = timeLimit
  }

  package var targets: [CellKey] { variants.map { binaries.scenarios[$0.scenario].key(of: $0) } }

  /// Limits the cell's work: many short pairs tell more than few long ones. Starting a cell takes
  /// as long as two repeats, so two tell the most in a given time. If one build is older and has no
  /// limits, the cells of both are full.
  fileprivate func shorten(_ cell: inout CellSpecification) {
    guard binaries.all.allSatisfy({ $0.check.limitsRepeats == true }) else { return }
    cell.baselineRuns = 1
    let isUserChoice = cell.overrides.contains { $0.hasPrefix("repeat_for_ms=") }
    if !hasFullRepeats, !isUserChoice { cell.mostRepeats = 2 }
  }
}

/// Measures pairs of cells: two processes, one after the other. Each cell's result is in its file
/// before the next cell starts.
package struct PairRunner {
  private let request: PairRequest
  private let interrupts: Interrupts
  private let observer: (any CellObserver)?
  private let runID = UUID().uuidString.lowercased()

  package init(
    _ request: PairRequest, interrupts: Interrupts, observer: (any CellObserver)? = nil
  ) {
    self.request = request
    self.interrupts = interrupts
    self.observer = observer
  }

  /// Measures pairs until every target is decided, or an interrupt.
  ///
  /// - Parameters:
  ///   - keep: receives each cell's document as soon as the cell has ended.
  ///   - tell: receives each phase before it is measured.
  package func run(
    _ course: inout some PairCourse, keep: (CellDocument) throws -> Void,
    tell: (DuetPhase, _ pairs: Int) -> Void = { _, _ in }
  ) async throws {
    var schedule = DuetSchedule(targets: request.variants.count, seed: request.orderSeed)
    var order = 0
    while !interrupts.isInterrupted, let (phase, wanted) = course.next() {
      let pairs = schedule.next(wanted)
      tell(phase, pairs.count)
      observer?.planned(cells(of: pairs), finished: [])
      for scheduled in pairs {
        guard let pair = try await measure(scheduled, phase, &order, keep) else { return }
        course.add(pair, of: scheduled.target, in: phase)
      }
    }
  }

  /// Returns nil after an interrupt.
  private func measure(
    _ pair: ScheduledPair, _ phase: DuetPhase, _ order: inout Int,
    _ keep: (CellDocument) throws -> Void
  ) async throws -> DuetPair? {
    var cells: [Side: CellResult] = [:]
    for side in pair.sides {
      guard !interrupts.isInterrupted else { return nil }
      order += 1
      let mark = DuetMark(pair: pair.number, side: side, phase: phase)
      observer?.began(request.targets[pair.target])
      guard let document = try await measure(pair, mark, order: order) else { return nil }
      try keep(document)
      observer?.ended(request.targets[pair.target], as: document.result)
      cells[side] = document.result
    }
    guard let baseline = cells[.baseline], let candidate = cells[.candidate] else { return nil }
    return DuetPair(baseline: baseline, candidate: candidate)
  }

  private func measure(
    _ pair: ScheduledPair, _ mark: DuetMark, order: Int
  ) async throws -> CellDocument? {
    let process = CellProcess(
      executable: request.binaries[mark.side].path, timeLimit: request.timeLimit,
      interrupts: interrupts, callgrind: request.callgrinds[mark.side])
    return try await process.run(try specification(pair, mark, order: order), mark: mark)
  }

  private func specification(
    _ pair: ScheduledPair, _ mark: DuetMark, order: Int
  ) throws -> CellSpecification {
    let variant = request.variants[pair.target]
    let planned = PlannedCell(variant: variant, trial: pair.number, order: order)
    var specification = CellSpecification(
      planned, of: request.binaries.scenarios[variant.scenario], runID: runID, seed: request.seed,
      under: request.folder)
    specification.gitSHA = request.binaries[mark.side].check.gitSHA
    specification.label = mark.side.rawValue
    request.shorten(&specification)
    if let recording = request.recording, recording.side == mark.side {
      try specification.record(beside: recording.csv)
    }
    return specification
  }

  private func cells(of pairs: [ScheduledPair]) -> [CellKey] {
    pairs.sorted { $0.target < $1.target }.flatMap { pair in
      pair.sides.map { _ in request.targets[pair.target] }
    }
  }
}
