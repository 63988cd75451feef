import Measurement

/// What a machine did beside the run, between two looks at it.
package struct ProcessorShare: Sendable, Equatable {
  /// Of the time of all processors, from 0 to 1: what processes took that the run did not start.
  package let others: Double
  /// The same: what other guests of the host took.
  package let stolen: Double

  package init(others: Double, stolen: Double) {
    self.others = others
    self.stolen = stolen
  }
}

/// How steady the machine is while a run goes on, from what the run knows anyway.
///
/// Blocked time is no yardstick: it is what is asked about, and its spread is the topologies' own in
/// part. `raw_sqlite_ms` is: each cell does the same work by SQLite's C API alone, whatever its
/// topology, so how far it differs from cell to cell is the machine's doing.
package struct RunNoise: Sendable, Equatable {
  /// The share by which a typical cell's `raw_sqlite_ms` is off the median of its section; nil below
  /// `fewest` cells that have company.
  package let spread: Double?
  /// Since the run began; nil where the machine does not tell.
  package let processor: ProcessorShare?

  static let fewest = 4
  /// Of the processors: less cannot be told from the kernel's rounding.
  private static let (mostOthers, mostStolen) = (0.1, 0.01)

  /// - Parameter raw: `raw_sqlite_ms` of the cells of each section.
  package init(raw: [[Double]], processor: ProcessorShare?) {
    let shares = raw.filter { $0.count > 1 }.flatMap { values in
      let median = Statistics.median(values) ?? 0
      return median > 0 ? values.map { $0 / median } : []
    }
    spread = shares.count < Self.fewest ? nil : Statistics.relativeSpread(shares)
    self.processor = processor
  }

  /// Whether a verdict would have to be read with it.
  package var isDoubtful: Bool {
    spread ?? 0 > DiagnosisLimits.noisySpread || processor?.others ?? 0 > Self.mostOthers
      || processor?.stolen ?? 0 > Self.mostStolen
  }
}
