/// The judgement of one figure, by the rule of its metric's kind.
package enum Judgement: Codable, Sendable, Equatable {
  case time(TimeJudgement)
  case count(CountJudgement)

  private var either: any FigureJudgement {
    switch self {
    case .time(let judgement): judgement
    case .count(let judgement): judgement
    }
  }

  package var verdict: Verdict { either.verdict }

  /// Pairs, or trials a side, that would probably settle an inconclusive verdict. Nil if none
  /// would.
  package var neededTrials: Int? { either.neededTrials }

  /// Whether both sides have a value.
  package var isCompared: Bool { either.isCompared }

  // Encoded as the members of the judgement, with its kind.

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
    try container.encode(either is TimeJudgement ? Kind.time : .count, forKey: .kind)
    try either.encode(to: encoder)
  }
}

private protocol FigureJudgement: Encodable {
  var verdict: Verdict { get }
  var neededTrials: Int? { get }
  var isCompared: Bool { get }
}

extension TimeJudgement: FigureJudgement {
  fileprivate var isCompared: Bool { baseline != nil && candidate != nil }
}

extension CountJudgement: FigureJudgement {
  fileprivate var isCompared: Bool { unmeasured == nil }
}
