import Measurement

/// Grades a section by its number of trials and by four readings that rise on a busy machine.
///
/// Documentation/Explanation/Judging.md has the limits.
package struct Trust: Codable, Sendable, Equatable {
  package struct Reading: Codable, Sendable, Equatable {
    /// A clause: `trials spread by 15 %`.
    package let what: String
    package let grade: Diagnosis.Grade
    /// What to do if the grade is not good.
    package let remedy: String
  }

  /// The worst grade of the readings. Good without readings.
  package let grade: Diagnosis.Grade
  /// The gravest first.
  package let readings: [Reading]

  /// - Parameters:
  ///   - rounds: of all cells, also of those that did not end ok.
  ///   - hasTrials: whether there is a ranking to discard. Otherwise the worst grade is fair.
  init(
    spread: Double?, cells ok: [CellResult], rounds: Int, context: RunContext, hasTrials: Bool
  ) {
    let trials = Self.trials(ok, of: rounds, spread: spread)
    let taken = (trials + Self.machine(ok, context)).map { reading in
      hasTrials || reading.grade != .discard
        ? reading : Reading(what: reading.what, grade: .fair, remedy: reading.remedy)
    }
    readings = [.discard, .fair, .good].flatMap { grade in taken.filter { $0.grade == grade } }
    grade = readings.first?.grade ?? .good
  }

  private static func trials(
    _ ok: [CellResult], of rounds: Int, spread: Double?
  ) -> [Reading] {
    if ok.isEmpty {
      return [Reading(what: "no cell ended ok", grade: .fair, remedy: "look into the errors")]
    }
    let isCounted = ok[0].isCounted
    let cells = Dictionary(grouping: ok, by: \.topology)
    let fewest = cells.values.map(\.count).min() ?? 0
    // Two trials show whether counts repeat. Fewer trials than an interval needs have no meaningful
    // spread.
    let needed = isCounted ? 2 : Trials.needed(topologies: 1)
    if fewest < needed {
      let what =
        Figures.counted(fewest, "trial")
        + (isCounted ? " does not show that counts repeat" : " cannot show a spread")
      // More trials are no remedy where the run has enough.
      let short = cells.filter { $0.value.count < needed }.keys.sorted().map(\.brief)
      let remedy =
        rounds < needed
        ? "--trials \(needed)"
        : "other cells of \(short.count > 3 ? short.cut(most: 3) : short.listed)"
          + " failed or are missing"
      return [Reading(what: what, grade: .fair, remedy: remedy)]
    }
    return [
      spread.map {
        Reading(
          "trials spread by \(Figures.percent($0))", $0, fair: DiagnosisLimits.noisySpread,
          discard: DiagnosisLimits.uselessSpread,
          remedy: "let nothing else run, or take more --trials")
      }
    ].compactMap { $0 }
  }

  private static func machine(_ ok: [CellResult], _ context: RunContext) -> [Reading] {
    [
      context.loadOnCores.map {
        Reading(
          "load \($0.text)", $0.perCore, fair: DiagnosisLimits.busyLoad,
          discard: DiagnosisLimits.uselessLoad, remedy: "let nothing else run")
      },
      RunDiagnoses.runqueueShare(ok).map {
        Reading(
          "main waited for a core for \(Figures.percent($0)) of its work", $0,
          fair: DiagnosisLimits.noticeableShare, discard: DiagnosisLimits.uselessShare,
          remedy: "use a machine with more cores")
      },
      context.steal.map {
        Reading(
          "steal \(Figures.percent($0))", $0, fair: DiagnosisLimits.noticeableSteal,
          discard: DiagnosisLimits.uselessSteal, remedy: "use a machine of your own")
      },
    ].compactMap { $0 }
  }
}

extension Trust.Reading {
  fileprivate init(
    _ what: String, _ value: Double, fair: Double, discard: Double, remedy: String
  ) {
    self.what = what
    self.remedy = remedy
    grade = value > discard ? .discard : value > fair ? .fair : .good
  }
}
