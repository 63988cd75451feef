import Foundation

/// Draws that are the same in every run; a test that fails names its seed.
package struct Random: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Above 0 and up to 1.
  package mutating func uniform() -> Double { (Double(next() >> 11) + 1) / 0x1p53 }

  /// Box and Muller.
  package mutating func normal() -> Double {
    (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
  }

  /// Log-normal values around 10.
  package mutating func times(_ count: Int, spread: Double, factor: Double = 1) -> [Double] {
    (0..<count).map { _ in 10 * factor * exp(spread * normal()) }
  }
}
