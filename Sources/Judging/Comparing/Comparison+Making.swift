package import Measurement

extension Comparison {
  /// - Parameters:
  ///   - baselineFiles: as the user named them.
  ///   - metrics: both sides must keep them.
  ///   - diagnoses: of the machines.
  ///   - alpha: the family-wise error rate of the whole comparison.
  package init(
    _ matching: Matching, baselineFiles: [String], candidateFiles: [String],
    metrics: [Metric] = Comparison.defaultMetrics, diagnoses: [Diagnosis] = [],
    alpha: Double = 0.05
  ) {
    let judged = JudgedMatches(matching, metrics: metrics, alpha: alpha)
    baseline = Report(matching.baseline, files: baselineFiles)
    candidate = Report(matching.candidate, files: candidateFiles)
    pairing = matching.pairing
    machines = matching.machines
    self.metrics = metrics
    sections = judged.sections()
      .inOrderOfValues {
        [$0.scenario, $0.store]
      } parameters: {
        $0.parameters
      }
    failed = Self.failed(matching)
    unmeasured = matching.matches.flatMap { Self.unmeasured($0, metrics) }
    baselineOnly = matching.baselineOnly
    candidateOnly = matching.candidateOnly
    otherDigests = matching.otherDigests
    self.diagnoses = MatchingDiagnoses.doubts(matching, judged) + diagnoses
  }

  private static func failed(_ matching: Matching) -> [Failed] {
    [(Side.baseline, matching.baseline), (.candidate, matching.candidate)].flatMap { role, side in
      side.groups.flatMap { group in
        group.failures.map { Failed(key: group.key, side: role, failure: $0) }
      }
    }
  }

  private static func unmeasured(
    _ match: Matching.Match, _ metrics: [Metric]
  ) -> [Unmeasured] {
    [
      (Side.baseline, match.baseline, match.candidate),
      (.candidate, match.candidate, match.baseline),
    ]
    .compactMap { role, group, other in
      let missing = metrics.filter {
        group.values($0).isEmpty && !other.values($0).isEmpty
      }
      return missing.isEmpty
        ? nil : Unmeasured(key: group.key, side: role, metrics: missing)
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
