package struct Diagnosis: Codable, Sendable, Hashable {
  package enum Grade: String, Codable, Sendable, CaseIterable {
    /// The cause only widens the spread, which verdicts take into account.
    case good
    /// The cause can shift a figure.
    case fair
    /// No verdict can rest on the result.
    case discard
  }

  /// A clause without a full stop: `the governor is powersave`.
  package let what: String
  /// The figures that show it: `3, and 8 are needed`. May be empty.
  package let evidence: String
  package let remedy: String
  package let grade: Grade

  package init(_ what: String, evidence: String = "", remedy: String = "", grade: Grade = .fair) {
    self.what = what
    self.evidence = evidence
    self.remedy = remedy
    self.grade = grade
  }

  /// `the machine was busy: load 3.1 on 2 cores (let nothing else run)`
  package var clause: String {
    what + (evidence.isEmpty ? "" : ": \(evidence)") + (remedy.isEmpty ? "" : " (\(remedy))")
  }

  package var sentence: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }
}

/// Readings beyond these limits are doubtful.
package enum DiagnosisLimits {
  /// The relative spread between trials above which few trials hide differences of a fifth.
  static let noisySpread = 0.1
  /// The relative spread above which trials show the machine, not the topologies.
  static let uselessSpread = 0.4
  /// Load for each core, above which other programs use the machine.
  package static let busyLoad = 0.5
  /// Load for each core, above which a cell has less than a third of the machine.
  static let uselessLoad = 2.0
  /// Main's wait for a core, as a share of its work.
  package static let noticeableShare = 0.1
  /// Above it most of main's work was waiting for a core.
  static let uselessShare = 0.5
  /// In ms a window. A share of less work says nothing of the machine.
  static let gradedWork = 1.0
  /// The share of processor time that other guests of the host take. Less cannot shift a median.
  package static let noticeableSteal = 0.01
  static let uselessSteal = 0.1
  /// In ms: the interval of the heartbeat.
  package static let lateWakeUp = 1.0
  /// The relative difference between the sides' times for the same work by SQLite's C API.
  static let noticeableSpeed = 0.05
  /// The share of a side's cells above which no verdict is possible.
  static let suspectShare = 0.1
}
