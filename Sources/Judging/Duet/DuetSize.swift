/// The number of pairs of a target of a duet.
///
/// It follows from the scatter of the first pairs' log ratios (or differences) about their own
/// middle. That scatter does not depend on which build is faster. At the first look the number may
/// grow by the same rule; it never shrinks.
package struct DuetSize: Codable, Sendable, Equatable {
  /// Pairs at the first look.
  package let first: Int
  package let last: Int
  /// The pairs that the scatter requires, before any limit.
  package let wanted: Int
  /// The standard deviation of a pair, as a share; nil without ratios.
  package let spread: Double?

  /// - Parameter measured: pairs that were measured already.
  init(_ looks: TwoLooks, measured: Int, spread: Double?) {
    first = max(looks.pairs[0], measured)
    last = max(looks.pairs[1], measured)
    wanted = max(looks.wanted, measured)
    self.spread = spread
  }

  private init(first: Int, last: Int, wanted: Int, spread: Double?) {
    (self.first, self.last, self.wanted, self.spread) = (first, last, wanted, spread)
  }

  /// The size after more pairs were measured.
  func grown(to later: DuetSize) -> DuetSize {
    DuetSize(
      first: first, last: max(last, later.last), wanted: max(wanted, later.wanted),
      spread: later.spread)
  }

  /// Whether the scatter requires more pairs than are allowed.
  package var isLimited: Bool { wanted > last }
}
