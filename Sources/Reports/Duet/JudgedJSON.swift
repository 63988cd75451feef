import Judging
import Measurement

/// The judgement of one figure in a duet's JSON document. It has the member names of a gate's
/// decisions.
struct JudgedJSON: Encodable {
  private var kind: String
  private var verdict: Verdict
  private var reason: String
  private var baseline: JudgedSideJSON?
  private var candidate: JudgedSideJSON?
  private var change: TimeJudgement.Change?
  private var p: Double?
  private var adjustedP: Double?
  private var bound: Double?
  private var allowed: Double?
  private var neededTrials: Int?
  private var exact: Bool?

  private enum CodingKeys: String, CodingKey {
    case kind, verdict, reason, baseline, candidate, change, p, bound, allowed, exact
    case adjustedP = "adjusted_p"
    case neededTrials = "needed_trials"
  }

  init(_ judged: DuetFigure.Judged) {
    switch judged {
    case .time(let judgement): self.init(judgement)
    case .count(let judgement): self.init(judgement)
    }
  }

  private init(_ judgement: TimeJudgement) {
    (kind, verdict, reason) = ("time", judgement.verdict, judgement.reason.word)
    baseline = judgement.baseline.map(JudgedSideJSON.init)
    candidate = judgement.candidate.map(JudgedSideJSON.init)
    change = judgement.change
    (p, adjustedP) = (judgement.p, judgement.adjustedP)
    (bound, allowed) = (judgement.bound, judgement.allowed)
    (neededTrials, exact) = (judgement.neededTrials, judgement.isExact)
  }

  private init(_ judgement: CountJudgement) {
    (kind, verdict, reason) = ("count", judgement.verdict, judgement.outcome.word)
    baseline = judgement.baseline.map(JudgedSideJSON.init)
    candidate = judgement.candidate.map(JudgedSideJSON.init)
    neededTrials = judgement.neededTrials
  }
}

extension TimeJudgement.Reason {
  fileprivate var word: String {
    switch self {
    case .regressed: "regressed"
    case .excluded: "excluded"
    case .tooFewTrials: "too few trials"
    case .tooNoisy: "too noisy"
    case .noValues: "no values"
    }
  }
}

extension CountJudgement.Outcome {
  fileprivate var word: String {
    switch self {
    case .same: "same"
    case .increase: "increase"
    case .decrease: "decrease"
    case .disagreesWithItself: "disagrees with itself"
    case .tooFewTrials: "too few trials"
    }
  }
}
