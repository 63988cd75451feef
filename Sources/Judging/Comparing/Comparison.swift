package import Measurement

// Tables, sentences and files are made from this alone.
//
//   baseline ─┐                     ┌─ sections ── rows      topology × metric, judged together
//             ├─ Matching ─ judged ─┤
//   candidate ┘                     ├─ failed, unmatched, unmeasured     what was not compared
//                                   └─ diagnoses                        what makes it doubtful

package struct Comparison: Codable, Sendable {
  package struct Report: Codable, Sendable, Equatable {
    /// As the user named them.
    package let files: [String]
    // Sorted, without empty texts.
    package let labels: [String]
    package let revisions: [String]
    package let hosts: [String]
    package let cells: Int
    package let okCells: Int
  }

  package struct Section: Codable, Sendable, Equatable {
    package let scenario: String
    package let scenarioDigest: String
    /// A JSON object, or empty.
    package let parameters: String
    package let store: String
    /// Nil for times.
    package let counted: Bool?
    /// In the baseline's order.
    package let topologies: [Topology]
  }

  package struct Topology: Codable, Sendable, Equatable {
    package let name: String
    /// Of the side with fewer `ok` cells.
    package let trials: Int
    /// In the order of `Comparison.metrics`.
    package let figures: [Figure]
  }

  package struct Figure: Codable, Sendable, Equatable {
    package let metric: Metric
    package let baseline: Estimate
    package let candidate: Estimate
    package let verdict: Direction
    package let judgement: Judgement
  }

  package struct Failed: Codable, Sendable, Equatable {
    package let key: CellKey
    package let side: Side
    package let failure: TopologySummary.Failure
  }

  package struct Unmeasured: Codable, Sendable, Equatable {
    package let key: CellKey
    package let side: Side
    package let metrics: [Metric]
  }

  package let baseline: Report
  package let candidate: Report
  package let pairing: Pairing
  package let machines: Matching.Machines
  package let metrics: [Metric]
  package var sections: [Section]
  package let failed: [Failed]
  package let unmeasured: [Unmeasured]
  package let baselineOnly: [Matching.Unmatched]
  package let candidateOnly: [Matching.Unmatched]
  package let otherDigests: [Matching.OtherDigest]
  /// Of the comparison, then of the machines.
  package let diagnoses: [Diagnosis]
}

extension Comparison {
  package var topologies: [Topology] { sections.flatMap(\.topologies) }
  package var figures: some Collection<Figure> {
    sections.lazy.flatMap(\.topologies).flatMap(\.figures)
  }

  /// The metrics of a run's answer, and the exact counts.
  package static let defaultMetrics: [Metric] =
    [
      .mainBlocked, .mainExecuting, .mainWaiting, .mainLongestGap, .framesLate, .visible, .durable,
      .total, .mainDeferred, .peakRSS,
    ] + Metrics.exactCounts + Metric.instructions

  /// Those with a better direction.
  package static let allMetrics = Metrics.all.filter { $0.kind != .label && $0.better != .neither }
}

extension Comparison.Figure {
  package var isSame: Bool { verdict == .same }

  /// Whether even unanimous trials would be too few for a verdict.
  package var hasTooFewTrials: Bool {
    guard verdict == .inconclusive else { return false }
    return switch judgement {
    case .time(let judgement): judgement.reason == .tooFewTrials
    case .count(let judgement): judgement.outcome == .tooFewTrials
    }
  }
}
