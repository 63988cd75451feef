/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014)
/// draws the same in every Swift version. So do its bounded numbers and shuffles, unlike the
/// standard library's.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The sequence as published.
  package init(seed: UInt64) {
    state = seed
  }

  /// One of the independent sequences of a seed. None is that of `init(seed:)`.
  package init(seed: UInt64, stream: UInt64) {
    state = Self.mix(seed &+ Self.mix(stream &* Self.golden))
  }

  package mutating func next() -> UInt64 {
    state &+= Self.golden
    return Self.mix(state)
  }

  /// Uniform in `0..<bound`, without bias: Lemire, "Fast Random Integer Generation in an Interval",
  /// 2019.
  package mutating func next(below bound: Int) -> Int {
    precondition(bound > 0, "no number lies below \(bound)")
    let range = UInt64(bound)
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      let threshold = (0 &- range) % range
      while product.low < threshold { product = next().multipliedFullWidth(by: range) }
    }
    return Int(product.high)
  }

  /// Draws as `Bool.random(using:)` does in Swift 6.
  package mutating func nextBool() -> Bool {
    (next() >> 17) & 1 == 0
  }

  /// Fisher–Yates, from the last element down.
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, next(below: last + 1))
    }
  }

  /// Fisher–Yates, from the first element up. Draws as `shuffled(using:)` does in Swift 6.
  package mutating func shuffledForward<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for first in elements.indices.dropLast() {
      elements.swapAt(first, first + next(below: elements.count - first))
    }
    return elements
  }

  private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
