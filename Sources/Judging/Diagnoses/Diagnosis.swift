/// A reason to doubt a result, and what to do about it.
package struct Diagnosis: Codable, Sendable, Hashable {
  /// How far the result can be trusted all the same.
  package enum Grade: String, Codable, Sendable, CaseIterable {
    /// It only widens the spread, which every verdict takes into account.
    case good
    /// It can move a figure.
    case fair
    /// No verdict can rest on the result.
    case discard
  }

  /// A clause without a full stop: `the governor is powersave`.
  package let what: String
  /// The figures that show it: `3, and 8 are needed`. Empty where `what` says it all.
  package let evidence: String
  /// What to do about it. Empty where nothing can be done.
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

  /// The clause, capitalised and with a full stop.
  package var sentence: String { clause.prefix(1).uppercased() + clause.dropFirst() + "." }
}
