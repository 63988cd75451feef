import Foundation
package import Measurement

package struct JudgingRule: Codable, Sendable, Equatable {
  /// A regression lies above this share of the baseline.
  package var relativeFloor = 0.03
  /// A regression lies above this value, in the metric's unit. Smaller values are judged by their
  /// difference, because their ratios are noise.
  package var absoluteFloor = 0.0
  /// A pass excludes a change of this share, or of the absolute floor if that is more.
  package var margin = 0.1
  /// `neither` is judged as `lower`.
  package var better = Metric.Direction.lower
}

extension JudgingRule {
  /// Sets the absolute floor: 0.1 ms, one count or 1 MiB. Nobody notices a smaller change, and no
  /// machine reproduces it.
  package init(for metric: Metric) {
    let floor =
      switch metric.kind {
      case .time, .percentile: 0.1
      case .count, .size: 1.0
      case .rate, .area, .label: 0.0
      }
    self.init(absoluteFloor: floor, better: metric.better)
  }
}

/// The values of both sides, each from one process.
package struct TimeSample: Sendable, Equatable {
  package var name: String
  package var baseline: [Double]
  /// In paired samples, element i belongs to the baseline's element i.
  package var candidate: [Double]
  package var rule = JudgingRule()
  var areCounts = false
}

// The scale on which a sample is judged. Up is worse.
//
//   all values at or above the absolute floor, and above zero    log candidate − log baseline
//   otherwise                                                    candidate − baseline
//
//   ───┼───────────┼──────────────┼────────▶ worse
//      0         floor         allowed
//      a regression lies above the floor; a pass excludes what lies above `allowed`

struct JudgingScale {
  let kind: TimeJudgement.Scale
  let floor: Double
  let allowed: Double

  private let sign: Double

  init(_ sample: TimeSample) {
    let rule = sample.rule
    let base = abs(Statistics.median(sample.baseline) ?? 0)
    let isRatio =
      base > 0
      && (sample.baseline + sample.candidate).allSatisfy { $0 > 0 && $0 >= rule.absoluteFloor }
    sign = rule.better == .higher ? -1 : 1
    kind = isRatio ? .ratio : .difference
    if isRatio {
      floor = log(1 + max(rule.relativeFloor, rule.absoluteFloor / base))
      allowed = log(1 + max(rule.margin, rule.absoluteFloor / base))
    } else {
      floor = max(rule.relativeFloor * base, rule.absoluteFloor)
      allowed = max(rule.margin * base, rule.absoluteFloor)
    }
  }

  /// How much worse the candidate is. Nil if a side is empty.
  func worsening(_ sample: TimeSample, _ pairing: Pairing) -> RankShift? {
    let (first, second) = (positions(sample.baseline), positions(sample.candidate))
    return switch pairing {
    case .paired: RankShift(paired: zip(first, second).map { $1 - $0 })
    case .unpaired: RankShift(from: first, to: second)
    }
  }

  /// The spread of the pairs, or of one side. Nil below two values.
  func spread(_ sample: TimeSample, _ pairing: Pairing) -> Double? {
    let (first, second) = (positions(sample.baseline), positions(sample.candidate))
    if pairing == .paired {
      return Power.spread(ofPairs: zip(first, second).map { $1 - $0 })
    }
    guard let left = Statistics.robustDeviation(first),
      let right = Statistics.robustDeviation(second)
    else { return nil }
    return ((left * left + right * right) / 2).squareRoot()
  }

  /// A worsening as candidate / baseline, or candidate − baseline.
  func change(_ worsening: Double) -> Double {
    kind == .ratio ? exp(sign * worsening) : sign * worsening
  }

  var isUpright: Bool { sign > 0 }

  private func positions(_ values: [Double]) -> [Double] {
    values.map { sign * (kind == .ratio ? log($0) : $0) }
  }
}
