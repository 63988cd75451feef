import Foundation
import Measurement

/// SciPy's answers, written by `scripts/make-statistics-fixtures.py`.
struct StatisticsFixtures: Decodable {
  struct SignedRankCase: Decodable {
    let differences: [Double]
    let less: Double
    let greater: Double
  }
  struct MedianCase: Decodable {
    let values: [Double]
    let median: Double
    let interval: MedianInterval?
  }
  struct SpreadCase: Decodable {
    let values: [Double]
    let relative: Double
    let quartiles: [Double]
  }
  struct ShiftCase: Decodable {
    let values: [Double]
    let estimate: Double
  }
  struct HolmCase: Decodable {
    let p: [Double]
    let adjusted: [Double]
  }

  struct RankSumCase: Decodable {
    let first: [Double]
    let second: [Double]
    let less: Double
    let greater: Double
  }
  struct RankShiftCase: Decodable {
    struct Bound: Decodable {
      let tail: Double
      let lower: Double?
      let upper: Double?
    }
    let paired: [Double]?
    let first: [Double]?
    let second: [Double]?
    let estimate: Double
    let bounds: [Bound]
  }
  struct ProportionCase: Decodable {
    let successes: Int
    let trials: Int
    let confidence: Double
    let lower: Double
    let upper: Double
  }
  struct NormalCase: Decodable {
    let z: Double
    let below: Double
  }

  let signedRank: [SignedRankCase]
  let medians: [MedianCase]
  let spreads: [SpreadCase]
  let hodgesLehmann: [ShiftCase]
  let holm: [HolmCase]
  let rankSum: [RankSumCase]
  let longRankSum: [RankSumCase]
  let longSignedRank: [SignedRankCase]
  let shifts: [RankShiftCase]
  let proportions: [ProportionCase]
  let normal: [NormalCase]

  static func load() throws -> StatisticsFixtures {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appending(path: "Fixtures/statistics.json"))
    return try JSONDecoder().decode(StatisticsFixtures.self, from: data)
  }
}
