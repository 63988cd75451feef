import Judging

struct PageTrust {
  /// The worst grade of all settings and sides.
  let grade: Diagnosis.Grade
  /// ` in 2 of 9 settings (load 1.4 on 2 cores)`; empty if the grade is good.
  let reason: String

  /// - Parameter settings: the trust of each side, by setting.
  init(_ settings: [[Trust]]) {
    let grades = settings.joined().map(\.grade)
    let worst = [.discard, .fair].first(where: grades.contains) ?? Diagnosis.Grade.good
    grade = worst
    guard worst != .good else {
      reason = ""
      return
    }
    let readings = settings.map { sides in
      sides.flatMap(\.readings).filter { $0.grade == worst }.map(\.what)
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
}
