package import Support
import Foundation

package typealias Random = SplitMix64

extension SplitMix64 {
  /// Above 0 and up to 1.
  package mutating func uniform() -> Double { (Double(next() >> 11) + 1) / 0x1p53 }

  /// Box and Muller.
  package mutating func normal() -> Double {
    (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  /// Log-normal, around 10.
  package mutating func times(_ count: Int, spread: Double, factor: Double = 1) -> [Double] {
    (0..<count).map { _ in 10 * factor * exp(spread * normal()) }
  }
}
