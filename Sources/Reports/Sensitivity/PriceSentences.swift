import Judging
import Measurement

extension Sentences {
  private static let mostRanges = 3

  /// The price ratios between which the order stays, or the command that shows them. Nil if no
  /// section asks about changes: that command prices no other phase.
  static func prices(_ sections: [SummarySection]) -> String? {
    guard sections.contains(where: { $0.question.phase == .change }) else { return nil }
    guard sections.count == 1, let sensitivity = Sensitivity(sections[0]) else {
      return "scripts/lab sensitivity says at which prices an order turns."
    }
    return prices(sensitivity, of: sections[0].topologies.count)
  }

  /// - Parameter all: the topologies of the section. Some have no counts.
  static func prices(_ sensitivity: Sensitivity, of all: Int) -> String {
    let names = sensitivity.topologies.map(\.topology)
    let groups = sensitivity.topologies.grouped(by: \.main).map { $0.elements.map(\.topology) }
    let source = "Computed from main's exact counts and this core's costs"
    let blindness =
      "Prices cannot tell batch inserts, single lookups, commits, prefetching, or GRDB against "
      + "Core Data."
    if groups.count == 1 {
      return "\(source), \(names.listed) are equal at any price. \(blindness)"
    }
    let some = names.count == all ? "" : " of \(names.count) of \(all) topologies"
    let equal = groups.filter { $0.count > 1 }.map { "\($0.listed) are equal" }
    let order = names.listed + (equal.isEmpty ? "" : " (\(equal.joined(separator: "; ")))")
    let ranges = sensitivity.stableRanges.prefix(mostRanges).map { range in
      "\(priced(range.event)) costs \(bounds(range)) times a push-up"
        + " (here \(Figures.short(range.here)))"
    }
    let validity =
      ranges.isEmpty
      ? "No price from 1/100 to 100 times a push-up's, changed alone, turns it."
      : "It stays while \(ranges.listed), one price changed at a time."
    return """
      \(source), the order\(some) is \(order). \(validity) A push-up copies an object to the parent \
      context; `scripts/lab sensitivity` shows more. \(blindness)
      """
  }

  /// `0.400 to 3.10`, in prices of a push-up.
  static func bounds(_ range: Sensitivity.StableRange) -> String {
    switch (range.lower.map(Figures.short), range.upper.map(Figures.short)) {
    case (let lower?, let upper?): "\(lower) to \(upper)"
    case (let lower?, nil): "more than \(lower)"
    case (nil, let upper?): "less than \(upper)"
    case (nil, nil): "anything"
    }
  }

  /// The event as the subject of a price: `a row read`.
  package static func priced(_ event: String) -> String {
    EventPrice.all.first { $0.name == event }?.phrase ?? event
  }
}
