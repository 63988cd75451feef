package import Measurement

// What a comparison consists of: tables, sentences and files are made from it alone.
//
//   baseline ─┐                     ┌─ sections ── rows      topology × metric, judged together
//             ├─ Matching ─ judged ─┤
//   candidate ┘                     ├─ failed, unmatched, unmeasured     what was not compared
//                                   └─ diagnoses                        what makes it doubtful

/// Two sets of reports held against each other, every metric of every topology with its verdict.
package struct Comparison: Sendable {
  package enum Role: String, Codable, Sendable, CaseIterable {
    case baseline, candidate
  }

  /// What stands on a side.
  package struct Report: Codable, Sendable, Equatable {
    /// As they were named.
    package let files: [String]
    // Sorted; without what is empty.
    package let labels: [String]
    package let revisions: [String]
    package let hosts: [String]
    package let cells: Int
    package let okCells: Int
  }

  /// The answer for one scenario, its parameters and a store mode.
  package struct Section: Sendable, Equatable {
    package let scenario: String
    package let scenarioDigest: String
    /// A JSON object, or empty.
    package let parameters: String
    package let store: String
    /// In the baseline's order.
    package let topologies: [Topology]
  }

  package struct Topology: Sendable, Equatable {
    package let name: String
    /// Of the side that has fewer `ok` cells.
    package let trials: Int
    /// In the order in which metrics were asked for.
    package let rows: [Row]
  }

  /// One metric of one topology.
  package struct Row: Sendable, Equatable {
    package enum Evidence: Sendable, Equatable {
      case time(TimeJudgement)
      case count(CountJudgement)
    }

    package let metric: MetricDefinition
    package let baseline: Estimate
    package let candidate: Estimate
    package let verdict: Direction
    package let evidence: Evidence
  }

  /// Cells that did not end `ok`, and so are in no figure.
  package struct Failed: Sendable, Equatable {
    package let key: CellKey
    package let role: Role
    package let failure: TopologySummary.Failure
  }

  /// Metrics that only one side has of matched cells.
  package struct Unmeasured: Sendable, Equatable {
    package let key: CellKey
    /// The side that lacks them.
    package let role: Role
    package let metrics: [String]
  }

  package let baseline: Report
  package let candidate: Report
  package let pairing: Pairing
  package let machines: Matching.Machines
  /// What was asked for, in order.
  package let metrics: [MetricDefinition]
  package let sections: [Section]
  package let failed: [Failed]
  package let unmeasured: [Unmeasured]
  package let baselineOnly: [Matching.Unmatched]
  package let candidateOnly: [Matching.Unmatched]
  package let otherDigests: [Matching.OtherDigest]
  /// Of the comparison itself, then of the machines.
  package let diagnoses: [Diagnosis]
}

extension Comparison {
  package var topologies: [Topology] { sections.flatMap(\.topologies) }
  package var rows: [Row] { topologies.flatMap(\.rows) }

  /// Whether the sides have a scenario of one name at all.
  package var hasCommonScenario: Bool {
    let names = [baselineOnly, candidateOnly].map { Set($0.map(\.key.scenario)) }
    return !sections.isEmpty || !names[0].isDisjoint(with: names[1])
  }

  /// What is compared unless something else is asked for: what a run's answer shows, and the counts
  /// that do not depend on scheduling.
  package static let defaultMetrics: [MetricDefinition] = {
    let times = [
      "main_blocked_ms", "main_executing_ms", "main_waiting_ms", "main_longest_gap_ms",
      "frames_late", "visible_ms", "durable_ms", "total_ms", "main_deferred_ms", "peak_rss_mib",
    ]
    return (times + Metrics.exactCounts).compactMap(Metrics.named)
  }()

  /// Every metric that is better higher or lower.
  package static let allMetrics = Metrics.all.filter { $0.kind != .label && $0.better != .neither }
}

extension Comparison.Row {
  /// As people and files read it. What is neither better nor worse when it changes, differs.
  package var word: String {
    let isChanged = verdict == .better || verdict == .worse
    return metric.better == .neither && isChanged ? "differs" : verdict.rawValue
  }

  package var isSame: Bool { verdict == .same }

  /// Whether nothing is told because even unanimous trials would be too few.
  package var hasTooFewTrials: Bool {
    guard verdict == .cannotTell else { return false }
    switch evidence {
    case .time(let judgement):
      if case .tooFewTrials = judgement.reason { return true }
    case .count(let judgement):
      if case .tooFewTrials = judgement.outcome { return true }
    }
    return false
  }
}
