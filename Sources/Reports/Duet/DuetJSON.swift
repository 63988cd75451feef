import Foundation
package import Judging
import Measurement

// The JSON form of a duet. Version 3; members may be added, none is renamed or taken away.
//
//   schema            "topobench-duet/3"
//   verdict           pass, fail or inconclusive; left out where nothing was compared
//   complete          false after an interrupt
//   conclusion, notes[]                               text
//   baseline, candidate { path, topobench, git_sha, build }, identical_binaries
//   seed, levels[]    what the two looks spend of α
//   targets[]         one for each scenario, parameters, topology and store mode
//     scenario, scenario_digest, parameters, topology, store
//     pairs, fresh_pairs                              sound ones
//     first_look, last_look, pairs_wanted, scatter    left out where no first pair was sound
//     failures[] { side, status, cells, error }
//     figures[]
//       metric, verdict, look (first or second), detectable (a share; left out of counts)
//       judged, confirmation (left out if there is none)
//         kind (time or count), verdict, reason
//         baseline, candidate, change, p, adjusted_p, bound, allowed, needed_trials, exact
//                   as in a gate's decisions
//   diagnoses[] { what, evidence, remedy, grade }
//   processors_kept_awake

extension DuetAnswer {
  package static let jsonSchema = "topobench-duet/3"

  package static func json(_ report: DuetReport) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(DuetJSON(report)), as: UTF8.self) + "\n"
    } catch {
      // Only numbers that are not finite could fail, and judgements hold none.
      preconditionFailure("a duet that JSON cannot hold: \(error)")
    }
  }
}

private struct DuetJSON: Encodable {
  let schema = DuetAnswer.jsonSchema
  let verdict: Verdict?
  let complete: Bool
  let conclusion: String
  let notes: [String]
  let baseline: DuetReport.Build
  let candidate: DuetReport.Build
  let areIdentical: Bool
  let seed: UInt64
  let levels = TwoLooks.levels
  let targets: [TargetJSON]
  let diagnoses: [Diagnosis]
  let keepsAwake: Bool

  enum CodingKeys: String, CodingKey {
    case schema, verdict, complete, conclusion, notes, baseline, candidate, seed, levels, targets
    case diagnoses
    case areIdentical = "identical_binaries"
    case keepsAwake = "processors_kept_awake"
  }

  init(_ report: DuetReport) {
    verdict = report.verdict
    complete = report.isComplete
    conclusion = DuetSentences.conclusion(report)
    notes = DuetSentences.notes(report)
    baseline = report.baseline
    candidate = report.candidate
    areIdentical = report.areIdentical
    seed = report.seed
    targets = report.targets.map { target in
      TargetJSON(target, report.figures.filter { $0.target == target.key })
    }
    diagnoses = report.diagnoses
    keepsAwake = report.keepsAwake
  }
}

private struct TargetJSON: Encodable {
  let target: DuetReport.Target
  let figures: [FigureJSON]

  init(_ target: DuetReport.Target, _ figures: [DuetFigure]) {
    self.target = target
    self.figures = figures.map(FigureJSON.init)
  }

  enum CodingKeys: String, CodingKey {
    case scenario, parameters, topology, store, pairs, scatter, failures, figures
    case scenarioDigest = "scenario_digest"
    case freshPairs = "fresh_pairs"
    case firstLook = "first_look"
    case lastLook = "last_look"
    case pairsWanted = "pairs_wanted"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target.key.scenario, forKey: .scenario)
    try container.encode(target.key.digest, forKey: .scenarioDigest)
    try container.encode(target.key.parameters, forKey: .parameters)
    try container.encode(target.key.topology, forKey: .topology)
    try container.encode(target.key.store, forKey: .store)
    try container.encode(target.pairs, forKey: .pairs)
    try container.encode(target.freshPairs, forKey: .freshPairs)
    try container.encodeIfPresent(target.size?.first, forKey: .firstLook)
    try container.encodeIfPresent(target.size?.last, forKey: .lastLook)
    try container.encodeIfPresent(target.size?.wanted, forKey: .pairsWanted)
    try container.encodeIfPresent(target.size?.spread, forKey: .scatter)
    try container.encode(target.failures, forKey: .failures)
    try container.encode(figures, forKey: .figures)
  }
}

private struct FigureJSON: Encodable {
  let metric: String
  let verdict: Verdict
  let look: DuetPhase
  let detectable: Double?
  let judged: JudgedJSON
  let confirmation: JudgedJSON?

  init(_ figure: DuetFigure) {
    metric = figure.metric
    verdict = figure.verdict
    look = figure.look
    detectable = figure.detectable
    judged = JudgedJSON(figure.judged)
    confirmation = figure.confirmation.map(JudgedJSON.init)
  }
}
