import Foundation
import Judging
import Measurement

// The JSON form of a gate. Version 1; members may be added, none is renamed or taken away.
//
//   schema            "topobench-gate/1"
//   outcome           "pass", "regression", "bad cell", "inconclusive", "no baseline",
//                     "nothing compared"; outcomes[] all that apply, that one first
//   exit_status       as the command ends
//   conclusion, notes[]                                text
//   pairing           "paired" or "unpaired"
//   needed_trials     pairs, or trials a side, that would settle what is inconclusive; left out
//                     where nothing is, or trials would not
//   decisions[]       one for each gated or advising figure, promise and expectation
//     kind            "time", "count", "promise", "expectation"
//     verdict         "pass", "fail", "inconclusive", "waived", "advice"
//     scenario, scenario_digest, parameters, store, topology, metric      as in the CSV file
//     reason          text
//     baseline, candidate    median, trials; lower, upper where an interval can be had; of counts
//                            lower and upper are the smallest and the largest
//     change          scale ("ratio" or "difference"), estimate, lower, upper
//     p, adjusted_p, bound, allowed, needed_trials, exact
//     yardstick       another machine's times are multiples of this column
//     inexact         of a count that is judged by statistics, as kind "time": the policy's reason
//     limit, relation        of a promise;   worse       of an expectation

extension GateReport {
  static let jsonSchema = "topobench-gate/1"

  func json() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let document = JSONForm(
      schema: Self.jsonSchema, outcome: result.outcome.name,
      outcomes: result.outcomes.map(\.name), exitStatus: result.outcome.rawValue,
      conclusion: conclusion, notes: notes, pairing: result.pairing,
      neededTrials: result.neededTrials,
      decisions: result.findings.map(Decision.init) + result.promises.map(Decision.init)
        + result.expectations.map(Decision.init))
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      // Only numbers that are not finite could fail, and judgements hold none.
      preconditionFailure("a gate that JSON cannot hold: \(error)")
    }
  }
}

private struct JSONForm: Encodable {
  let schema: String
  let outcome: String
  let outcomes: [String]
  let exitStatus: Int32
  let conclusion: String
  let notes: [String]
  let pairing: Pairing
  let neededTrials: Int?
  let decisions: [Decision]
}

private struct Decision: Encodable {
  var kind: String
  var verdict: String
  var scenario: String?
  var scenarioDigest: String?
  var parameters: String?
  var store: String?
  var topology: String
  var metric: String
  var reason: String
  var baseline: JudgedSideJSON?
  var candidate: JudgedSideJSON?
  var change: TimeJudgement.Change?
  var p: Double?
  var adjustedP: Double?
  var bound: Double?
  var allowed: Double?
  var neededTrials: Int?
  var exact: Bool?
  var yardstick: String?
  var inexact: String?
  var limit: Double?
  var relation: Promise.Relation?
  var worse: String?

  private init(_ kind: String, _ line: GateLine, metric: String) {
    self.kind = kind
    self.metric = metric
    verdict = line.mark.rawValue
    scenario = line.key?.scenario
    scenarioDigest = line.key?.digest
    parameters = line.key?.parameters
    store = line.key?.store
    topology = line.topology
    reason = line.reason
  }

  init(_ finding: GateFinding) {
    let line = GateLine(finding)
    switch finding.evidence {
    case .time(let judgement):
      self.init("time", line, metric: finding.metric)
      baseline = judgement.baseline.map(JudgedSideJSON.init)
      candidate = judgement.candidate.map(JudgedSideJSON.init)
      change = judgement.change
      (p, adjustedP) = (judgement.p, judgement.adjustedP)
      (bound, allowed) = (judgement.bound, judgement.allowed)
      exact = judgement.isExact
      yardstick = finding.yardstick
      inexact = finding.inexact?.declared.reason
    case .count(let judgement):
      self.init("count", line, metric: finding.metric)
      baseline = judgement.baseline.map(JudgedSideJSON.init)
      candidate = judgement.candidate.map(JudgedSideJSON.init)
    }
    neededTrials = finding.verdict == .inconclusive ? finding.neededTrials : nil
  }

  init(_ finding: PromiseFinding) {
    self.init("promise", GateLine(finding), metric: finding.promise.metric)
    candidate = finding.measured.map(JudgedSideJSON.init)
    (limit, relation) = (finding.promise.limit, finding.promise.relation)
    neededTrials = finding.neededTrials
  }

  init(_ finding: ExpectationFinding) {
    self.init("expectation", GateLine(finding), metric: finding.expectation.metric)
    change = finding.change
    p = finding.p
    worse = finding.expectation.worse
    neededTrials = finding.neededTrials
  }
}
