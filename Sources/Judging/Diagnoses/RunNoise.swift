import Measurement

/// The processor time that the run did not use itself, between two readings.
package struct ProcessorShare: Sendable, Equatable {
  /// The share of all processors' time, from 0 to 1, that other processes took.
  package let others: Double
  /// The share that other guests of the host took.
  package let stolen: Double

  package init(others: Double, stolen: Double) {
    self.others = others
    self.stolen = stolen
  }
}

/// How steady the machine is during a run.
///
/// Blocked time cannot show it, because part of its spread comes from the topologies.
/// `raw_sqlite_ms` can, because every cell does the same work by SQLite's C API.
package struct RunNoise: Sendable, Equatable {
  /// The relative spread of `raw_sqlite_ms` about the median of its section; nil below `fewest`
  /// cells.
  package let spread: Double?
  /// Since the run began; nil if the machine does not tell.
  package let processor: ProcessorShare?

  static let fewest = 4
  /// Shares of the processors. The kernel's rounding hides less.
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

  /// Whether the noise can move a verdict.
  package var isDoubtful: Bool {
    spread ?? 0 > DiagnosisLimits.noisySpread || processor?.others ?? 0 > Self.mostOthers
      || processor?.stolen ?? 0 > Self.mostStolen
  }
}
