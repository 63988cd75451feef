import Judging
import Measurement

/// A sweep as a member of an answer's JSON form, which ``Answer/json(_:)`` documents.
struct SweepDocument: Encodable {
  let sweep: Sweep

  private enum CodingKeys: String, CodingKey {
    case scenario, store, field, measure, trials, fixed, points, crossovers, unclear
    case trialsNeeded = "trials_needed"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sweep.scenario, forKey: .scenario)
    try container.encode(sweep.store, forKey: .store)
    try container.encode(sweep.field, forKey: .field)
    try container.encode(sweep.measure, forKey: .measure)
    try container.encode(sweep.trials, forKey: .trials)
    try container.encode(sweep.trialsNeeded, forKey: .trialsNeeded)
    try container.encode(sweep.fixed.mapValues(\.text), forKey: .fixed)
    try container.encode(sweep.points.map(Point.init), forKey: .points)
    try container.encode(sweep.crossovers.map(Crossover.init), forKey: .crossovers)
    try container.encode(sweep.unclear.map(Crossover.init), forKey: .unclear)
  }

  private struct Point: Encodable {
    let value: String
    let topologies: [Topology]

    init(_ point: Sweep.Point) {
      value = point.value.text
      topologies = point.ranking.places.map(Topology.init)
    }
  }

  private struct Topology: Encodable {
    let topology: String
    let median: Double
    let rank: Int
    let isShared: Bool

    enum CodingKeys: String, CodingKey {
      case topology, rank
      case median = "median_ms"
      case isShared = "shares_rank"
    }

    init(_ place: Ranking.Place) {
      topology = place.name
      median = place.median
      rank = place.rank
      isShared = place.isShared
    }
  }

  private struct Crossover: Encodable {
    let before: String
    let after: String
    let from: String
    let to: String
    let estimate: Double?

    enum CodingKeys: String, CodingKey {
      case from, to, estimate
      case before = "ahead_before"
      case after = "ahead_after"
    }

    init(_ crossover: Sweep.Crossover) {
      before = crossover.before
      after = crossover.after
      from = crossover.from.text
      to = crossover.to.text
      estimate = crossover.estimate
    }
  }
}
