import Foundation
import Measurement

/// SciPy's answers, written by `scripts/make-statistics-fixtures.py`.
struct StatisticsFixtures: Decodable {
  struct SignedRankCase: Decodable {
    struct Answer: Decodable {
      let statistic: Double
      let less: Double
      let greater: Double
    }
    let differences: [Double]
    let ranked: Answer
    let dropped: Answer
  }
  struct MedianCase: Decodable {
    let values: [Double]
    let median: Double
    let interval: MedianInterval?
  }
  struct SpreadCase: Decodable {
    let values: [Double]
    let relative: Double
    let mad: Double
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
    let statistic: Double
    let less: Double
    let greater: Double
  }
  struct LongSignedRankCase: Decodable {
    let differences: [Double]
    let statistic: Double
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
  struct BootstrapCase: Decodable {
    let samples: [[Double]]
    let statistic: String
    let confidence: Double
    let method: BootstrapInterval.Method
    let seed: UInt64
    let resamples: Int
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
  let longSignedRank: [LongSignedRankCase]
  let shifts: [RankShiftCase]
  let proportions: [ProportionCase]
  let bootstraps: [BootstrapCase]
  let normal: [NormalCase]

  static func load() throws -> StatisticsFixtures {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appending(path: "Fixtures/statistics.json"))
    return try JSONDecoder().decode(StatisticsFixtures.self, from: data)
  }
}
