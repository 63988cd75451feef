import Measurement

/// Tables, sentences and files are made from this result alone.
package struct DuetReport: Codable, Sendable {
  package struct Build: Codable, Sendable, Equatable {
    package let path: String
    package let topobench: String
    /// Empty if unknown.
    package let commit: String
    /// `debug` or `release`.
    package let build: String

    package init(path: String, topobench: String, commit: String, build: String) {
      self.path = path
      self.topobench = topobench
      self.commit = commit
      self.build = build
    }
  }

  package struct Target: Codable, Sendable, Equatable {
    package let key: CellKey
    /// Nil if no first pair was sound.
    package let size: DuetSize?
    /// Sound ones, without the fresh pairs.
    package let pairs: Int
    package let freshPairs: Int
    package let failures: [Failure]
  }

  package struct Failure: Codable, Sendable, Equatable {
    package let side: Side
    package let failure: TopologySummary.Failure
  }

  package let baseline: Build
  package let candidate: Build
  package let areIdentical: Bool
  package let seed: UInt64
  package let rule: DuetRule
  package let targets: [Target]
  /// Empty after an interrupt.
  package let figures: [DuetFigure]
  /// Over all figures, also those without a sound pair. Nil if nothing was compared.
  package let verdict: Verdict?
  package let isComplete: Bool
  package let diagnoses: [Diagnosis]
  /// Whether processors were kept awake while cells ran.
  package let keepsAwake: Bool

  package init(
    _ course: SequentialTest, baseline: Build, candidate: Build, areIdentical: Bool, seed: UInt64,
    diagnoses: [Diagnosis], keepsAwake: Bool = false
  ) {
    self.baseline = baseline
    self.candidate = candidate
    self.areIdentical = areIdentical
    self.seed = seed
    rule = course.rule
    targets = course.targets.indices.map { Target($0, of: course) }
    figures = course.isOver ? course.figures : []
    verdict =
      figures.contains(where: \.judgement.isCompared)
      ? Verdict.together(figures.map(\.verdict)) : nil
    isComplete = course.isOver
    self.diagnoses = diagnoses
    self.keepsAwake = keepsAwake
  }

}

extension DuetReport.Target {
  fileprivate init(_ index: Int, of course: SequentialTest) {
    key = course.targets[index]
    size = course.sizes.isEmpty ? nil : course.sizes[index]
    pairs = course.soundPairs(of: index)
    freshPairs = course.freshPairs(of: index)
    failures = Side.allCases.flatMap { side in
      TopologySummary.Failure.all(in: course.measured[index].map { $0[side] })
        .map { DuetReport.Failure(side: side, failure: $0) }
    }
  }
}
