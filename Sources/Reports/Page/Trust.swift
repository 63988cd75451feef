import Judging

/// How far a page's answers can be trusted.
enum Trust {
  /// The worst grade of what makes any section doubtful.
  static func grade(_ summary: Summary) -> Diagnosis.Grade {
    let grades = Set(summary.sections.flatMap(\.diagnoses).map(\.grade))
    return [.discard, .fair].first { grades.contains($0) } ?? .good
  }
}
