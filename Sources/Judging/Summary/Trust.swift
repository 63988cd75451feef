import Measurement

/// Four readings that a busy machine raises grade a section.
///
/// No report in results/full reaches a limit of `discard`: Documentation/Explanation/Judging.md.
package struct Trust: Codable, Sendable, Equatable {
  package struct Reading: Codable, Sendable, Equatable {
    /// A clause: `trials spread by 15 %`.
    package let what: String
    package let grade: Diagnosis.Grade
  }

  /// The worst of the readings. Good without any.
  package let grade: Diagnosis.Grade
  /// The gravest first.
  package let readings: [Reading]

  init(spread: Double?, cells ok: [CellResult], context: RunContext) {
    let taken = [
      Self.spread(spread, trials: Dictionary(grouping: ok, by: \.topology).values.map(\.count)),
      Self.load(context), Self.queueing(ok), Self.steal(context),
    ].compactMap { $0 }
    readings = [.discard, .fair, .good].flatMap { grade in taken.filter { $0.grade == grade } }
    grade = readings.first?.grade ?? .good
  }

  private static func reading(
    _ what: String, _ value: Double, fair: Double, discard: Double
  ) -> Reading {
    Reading(what: what, grade: value > discard ? .discard : value > fair ? .fair : .good)
  }

  /// Fewer trials than an interval needs have no meaningful spread.
  private static func spread(_ spread: Double?, trials: [Int]) -> Reading? {
    guard let spread, trials.min() ?? 0 >= Trials.needed(topologies: 1) else { return nil }
    return reading(
      "trials spread by \(Figures.percent(spread))", spread, fair: DiagnosisLimits.noisySpread,
      discard: DiagnosisLimits.uselessSpread)
  }

  private static func load(_ context: RunContext) -> Reading? {
    guard let load = context.load, let cores = context.cores, cores > 0 else { return nil }
    return reading(
      "load \(Figures.short(load)) on \(Figures.counted(cores, "core"))", load / Double(cores),
      fair: DiagnosisLimits.busyLoad, discard: DiagnosisLimits.uselessLoad)
  }

  private static func queueing(_ ok: [CellResult]) -> Reading? {
    RunDiagnoses.runqueueShare(ok).map { share in
      reading(
        "main waited for a core for \(Figures.percent(share)) of its blocked time", share,
        fair: DiagnosisLimits.noticeableShare, discard: DiagnosisLimits.uselessShare)
    }
  }

  private static func steal(_ context: RunContext) -> Reading? {
    context.steal.map { steal in
      reading(
        "steal \(Figures.percent(steal))", steal, fair: DiagnosisLimits.noticeableSteal,
        discard: DiagnosisLimits.uselessSteal)
    }
  }
}
