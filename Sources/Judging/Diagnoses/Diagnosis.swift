package struct Diagnosis: Codable, Sendable, Hashable {
  package enum Grade: String, Codable, Sendable, CaseIterable {
    /// It only widens the spread, which verdicts take into account.
    case good
    /// It can move a figure.
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

  package init(
    _ what: String, evidence: String = "", remedy: String = "", grade: Grade = .fair
  ) {
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
