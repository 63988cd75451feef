/// The judgement of one figure, by the rule of its metric's kind.
package enum Judgement: Codable, Sendable, Equatable {
  case time(TimeJudgement)
  case count(CountJudgement)

  package var verdict: Verdict {
    switch self {
    case .time(let judgement): judgement.verdict
    case .count(let judgement): judgement.verdict
    }
  }

  /// Pairs, or trials a side, that would probably settle an inconclusive verdict. Nil if none
  /// would.
  package var neededTrials: Int? {
    switch self {
    case .time(let judgement): judgement.neededTrials
    case .count(let judgement): judgement.neededTrials
    }
  }

  /// Whether both sides have a value.
  package var isCompared: Bool {
    switch self {
    case .time(let judgement): judgement.baseline != nil && judgement.candidate != nil
    case .count(let judgement): judgement.baseline != nil && judgement.candidate != nil
    }
  }

  // Coded as the members of the judgement, and its kind.

  private enum Kind: String, Codable { case time, count }
  private enum CodingKeys: String, CodingKey { case kind }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .time: self = .time(try TimeJudgement(from: decoder))
    case .count: self = .count(try CountJudgement(from: decoder))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .time(let judgement):
      try container.encode(Kind.time, forKey: .kind)
      try judgement.encode(to: encoder)
    case .count(let judgement):
      try container.encode(Kind.count, forKey: .kind)
      try judgement.encode(to: encoder)
    }
  }
}
