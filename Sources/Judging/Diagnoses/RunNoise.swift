import Measurement

package struct ProcessorShare: Sendable, Equatable {
  /// As shares from 0 to 1 of all processors' time.
  package let others: Double
  package let stolen: Double

  package init(others: Double, stolen: Double) {
    self.others = others
    self.stolen = stolen
  }
}

/// Blocked time cannot show how steady a machine is, because topologies cause part of its spread.
/// `raw_sqlite_ms` can: every cell does the same work by SQLite's C API.
package struct RunNoise: Sendable, Equatable {
  /// The relative spread of `raw_sqlite_ms` about its section's median. Nil below `fewest` cells.
  package let spread: Double?
  /// The processors' use since the run began.
  package let processor: ProcessorShare?

  static let fewest = 4
  /// The limits of the processors' shares. The kernel's rounding hides smaller shares.
  private static let (mostOthers, mostStolen) = (0.1, 0.01)

  package init(raw: [[Double]], processor: ProcessorShare?) {
    let shares = raw.filter { $0.count > 1 }.flatMap { values in
      let median = Statistics.median(values) ?? 0
      return median > 0 ? values.map { $0 / median } : []
    }
    spread = shares.count < Self.fewest ? nil : Statistics.relativeSpread(shares)
    self.processor = processor
  }

  package var isDoubtful: Bool {
    spread ?? 0 > DiagnosisLimits.noisySpread || processor?.others ?? 0 > Self.mostOthers
      || processor?.stolen ?? 0 > Self.mostStolen
  }
}
