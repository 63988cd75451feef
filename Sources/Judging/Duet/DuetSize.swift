/// It follows from the scatter of the first pairs' log ratios (or differences) about their middle,
/// which does not depend on which build is faster. At the first look it may grow by the same rule.
/// It never shrinks.
package struct DuetSize: Codable, Sendable, Equatable {
  /// Pairs at the first look.
  package let first: Int
  package let last: Int
  /// Required by the scatter, before any limit.
  package let wanted: Int
  /// Of a pair, as a share. Nil without ratios.
  package let spread: Double?

  init(_ looks: TwoLooks, measured: Int, spread: Double?) {
    first = max(looks.pairs[0], measured)
    last = max(looks.pairs[1], measured)
    wanted = max(looks.wanted, measured)
    self.spread = spread
  }

  private init(first: Int, last: Int, wanted: Int, spread: Double?) {
    (self.first, self.last, self.wanted, self.spread) = (first, last, wanted, spread)
  }

  func grown(to later: DuetSize) -> DuetSize {
    DuetSize(
      first: first, last: max(last, later.last), wanted: max(wanted, later.wanted),
      spread: later.spread)
  }

  package var isLimited: Bool { wanted > last }
}
