/// How many pairs a target of a duet gets.
///
/// Chosen from how far the log ratios (or differences) of its first pairs scatter around their own
/// middle. Exchanging the builds, or making one of them slower throughout, leaves that scatter as it
/// is: who is ahead cannot enter. At the first look the number may grow, by the same rule; it never
/// shrinks.
package struct DuetSize: Codable, Sendable, Equatable {
  /// At the first look.
  package let first: Int
  /// At the second.
  package let last: Int
  /// What the scatter called for, before any limit.
  package let wanted: Int
  /// The standard deviation of a pair, as a share; nil where there is nothing to take ratios of.
  package let spread: Double?

  /// - Parameter measured: pairs that are there already.
  init(_ looks: TwoLooks, measured: Int, spread: Double?) {
    first = max(looks.pairs[0], measured)
    last = max(looks.pairs[1], measured)
    wanted = max(looks.wanted, measured)
    self.spread = spread
  }

  private init(first: Int, last: Int, wanted: Int, spread: Double?) {
    (self.first, self.last, self.wanted, self.spread) = (first, last, wanted, spread)
  }

  /// With more pairs than were there when it was chosen.
  func grown(to later: DuetSize) -> DuetSize {
    DuetSize(
      first: first, last: max(last, later.last), wanted: max(wanted, later.wanted),
      spread: later.spread)
  }

  /// Whether there were to be more pairs than are allowed.
  package var isLimited: Bool { wanted > last }
}
