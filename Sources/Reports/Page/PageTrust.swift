import Judging

struct PageTrust {
  /// The worst grade of all settings, or of what makes a comparison doubtful.
  let grade: Diagnosis.Grade
  /// ` in 2 of 9 settings (load 1.4 on 2 cores)`; empty if the grade is good.
  let reason: String

  /// - Parameter settings: of one report.
  init(_ settings: [Trust]) {
    grade = Self.worst(settings.map(\.grade))
    guard grade != .good else {
      reason = ""
      return
    }
    let worst = grade
    let readings = settings.map { trust in
      trust.readings.filter { $0.grade == worst }.map(\.what)
    }
    let count = readings.count { !$0.isEmpty }
    let place =
      count < settings.count ? " in \(count) of \(Figures.counted(settings.count, "setting"))" : ""
    // The reasons that most settings share come first.
    let reasons = readings.joined().grouped { $0 }
      .sorted { $0.elements.count > $1.elements.count }.map(\.key)
    let shown = reasons.prefix(settings.count == 1 ? 2 : 1).joined(separator: "; ")
    reason = "\(place) (\(shown))"
  }

  /// `compare` says the same of the two sides.
  init(_ comparison: Comparison) {
    grade = Self.worst(comparison.diagnoses.map(\.grade))
    let worst = grade
    let doubt = worst == .good ? nil : comparison.diagnoses.first { $0.grade == worst }
    reason =
      doubt.map { " (\($0.what)\($0.evidence.isEmpty ? "" : ": \($0.evidence)"))" } ?? ""
  }

  private static func worst(_ grades: [Diagnosis.Grade]) -> Diagnosis.Grade {
    [.discard, .fair].first(where: grades.contains) ?? Diagnosis.Grade.good
  }
}
