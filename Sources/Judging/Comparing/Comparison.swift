package import Measurement

// Tables, sentences and files are made from a `Comparison` alone.
//
//   baseline ─┐                     ┌─ sections ── figures   topology × metric, judged together
//             ├─ Matching ─ judged ─┤       └─ conclusion      freezes, changes, what is undecided
//   candidate ┘                     ├─ timesDoubt                       why times do not count
//                                   ├─ failed, unmatched, unmeasured     what was not compared
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
    /// Nil for timed cells.
    package let counted: Bool?
    /// In the baseline's order.
    package let topologies: [Topology]
  }

  package struct Topology: Codable, Sendable, Equatable {
    package let name: String
    /// The `ok` cells of the side with fewer.
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
  /// Why no time is better, worse or the same: the sides are of two machines, or of one at two
  /// speeds. It is among `diagnoses`. Nil if times count.
  package let timesDoubt: Diagnosis?
  package var sections: [Section]
  package let failed: [Failed]
  package let unmeasured: [Unmeasured]
  package let baselineOnly: [Matching.Unmatched]
  package let candidateOnly: [Matching.Unmatched]
  package let otherDigests: [Matching.OtherDigest]
  /// Diagnoses of the comparison, then of the machines.
  package let diagnoses: [Diagnosis]
}

extension Comparison {
  package var topologies: [Topology] { sections.flatMap(\.topologies) }
  package var figures: some Collection<Figure> {
    sections.lazy.flatMap(\.topologies).flatMap(\.figures)
  }

  /// The side whose cells are all counted, if the other side's cells are all timed. Nil unless the
  /// sides share a topology of one setting.
  package var countedSide: Side? {
    guard sections.isEmpty else { return nil }
    let keys = [Side.baseline: baselineOnly, .candidate: candidateOnly]
      .mapValues { $0.map(\.key) }
    let kinds = keys.mapValues { Set($0.map(\.isCounted)) }
    let cells = keys.mapValues { Set($0.map(\.timed)) }
    guard !cells[.baseline, default: []].isDisjoint(with: cells[.candidate, default: []])
    else { return nil }
    return Side.allCases.first { kinds[$0] == [true] && kinds[$0.other] == [false] }
  }

  /// Freeze, blocked time and the time until users see the change, in the phase that cells ask
  /// about, and the exact counts.
  package static func defaultMetrics(_ question: Question) -> [Metric] {
    question.times + Metrics.exactCounts + Metric.instructions + Metric.phaseInstructions
  }

  /// The default metrics of every phase.
  package static let defaultMetrics: [Metric] =
    Question.all.flatMap(\.times) + Metrics.exactCounts + Metric.instructions
    + Metric.phaseInstructions

  /// The metrics of a run's answer, and the exact counts.
  package static let answerMetrics: [Metric] =
    [
      Question.change.blocked, .mainExecuting, .mainWaiting, Question.change.gap, .framesLate,
      .visible, .durable, .total, .mainDeferred, .peakRSS,
    ] + Metrics.exactCounts + Metric.instructions

  /// Metrics of which lower or higher values are better.
  package static let allMetrics = Metrics.all.filter { $0.kind != .label && $0.better != .neither }
}

extension Comparison.Section {
  /// The key that all topologies share.
  package var key: CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: "",
      store: store, isCounted: counted ?? false)
  }
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

extension Comparison {
  /// - Parameters:
  ///   - baselineFiles: as the user named them.
  ///   - metrics: both sides must keep them. Nil for the default ones.
  ///   - diagnoses: of the machines.
  ///   - alpha: the family-wise error rate of the whole comparison.
  package init(
    _ matching: Matching, baselineFiles: [String], candidateFiles: [String],
    metrics named: [Metric]? = nil, diagnoses: [Diagnosis] = [],
    alpha: Double = 0.05
  ) {
    let doubts = MatchingDiagnoses(matching: matching, grade: .fair)
    timesDoubt = doubts.timesDoubt(beyond: JudgingRule().margin)
    let judged = JudgedMatches(
      matching, metrics: named, alpha: alpha, timesCount: timesDoubt == nil)
    baseline = Report(matching.baseline, files: baselineFiles)
    candidate = Report(matching.candidate, files: candidateFiles)
    pairing = matching.pairing
    machines = matching.machines
    let phases = Set(matching.matches.map(\.question.phase))
    let asked = Question.all.filter { phases.contains($0.phase) }.flatMap(Self.defaultMetrics)
    metrics = named ?? Self.defaultMetrics.filter(asked.contains)
    sections = judged.sections().inOrderOfValues { ($0.scenario, $0.store, $0.parameters) }
    failed = Self.failed(matching)
    unmeasured = matching.matches.flatMap {
      Self.unmeasured($0, named ?? Self.defaultMetrics($0.question))
    }
    baselineOnly = matching.baselineOnly
    candidateOnly = matching.candidateOnly
    otherDigests = matching.otherDigests
    self.diagnoses = doubts.doubts(judged) + diagnoses
  }

  private static func failed(_ matching: Matching) -> [Failed] {
    Side.allCases.flatMap { side in
      matching[side].groups.flatMap { group in
        group.failures.map { Failed(key: group.key, side: side, failure: $0) }
      }
    }
  }

  private static func unmeasured(_ match: Matching.Match, _ metrics: [Metric]) -> [Unmeasured] {
    Side.allCases.compactMap { side in
      let missing = metrics.filter {
        !match[side].measures($0) && match[side.other].measures($0)
      }
      return missing.isEmpty ? nil : Unmeasured(key: match.key, side: side, metrics: missing)
    }
  }
}

extension Comparison.Report {
  fileprivate init(_ side: SideCells, files: [String]) {
    self.files = files
    labels = side.labels.sorted()
    revisions = side.revisions.sorted()
    hosts = side.hosts.sorted()
    cells = side.cells
    okCells = side.okCells
  }
}
