/// A seeded stream of numbers that is the same on every platform and in every version of Swift.
///
/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
/// The standard library's `shuffle(using:)` does not promise how it draws from a generator, so
/// bounded numbers and the shuffle are here as well.
package struct SplitMix64: Sendable {
  private var state: UInt64

  /// - Parameter stream: tells the independent uses of one seed apart.
  package init(seed: UInt64, stream: UInt64 = 0) {
    state = Self.mix(seed &+ Self.mix(stream &* Self.golden))
  }

  /// The generator as it is published, for checking it against published numbers.
  init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= Self.golden
    return Self.mix(state)
  }

  /// Uniform in `0..<bound`, without bias: Lemire, "Fast Random Integer Generation in an Interval",
  /// 2019. The bound is at least 1.
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

  /// Fisher–Yates, from the last element down.
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, next(below: last + 1))
    }
  }

  private static let golden: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
