import Judging

extension Sentences {
  private static let mostRanges = 3

  /// The price ratios between which the order of one section stays, or the command that says it.
  static func prices(_ sections: [SummarySection]) -> String {
    guard sections.count == 1, let sensitivity = Sensitivity(sections[0]) else {
      return "`topobench sensitivity` says at which prices an order turns."
    }
    return prices(sensitivity)
  }

  static func prices(_ sensitivity: Sensitivity) -> String {
    let order = sensitivity.topologies.map(\.topology).listed
    let ranges = sensitivity.stableRanges.prefix(mostRanges).map { range in
      "\(SensitivityAnswer.phrase(range.event)) costs \(bounds(range))"
        + " (here \(Figures.short(range.here)))"
    }
    let validity =
      ranges.isEmpty
      ? "No price from 1/100 to 100 times a push-up's, changed alone, turns it."
      : "It stays while \(ranges.listed), each price changed alone."
    return """
      By main's counted events and the core's own costs (`topobench sensitivity`), the order is \
      \(order). \(validity)
      """
  }

  /// `0.400 to 3.10 push-ups`
  static func bounds(_ range: Sensitivity.StableRange) -> String {
    switch (range.lower.map(Figures.short), range.upper.map(Figures.short)) {
    case (let lower?, let upper?): "\(lower) to \(upper) push-ups"
    case (let lower?, nil): "more than \(lower) push-ups"
    case (nil, let upper?): "less than \(upper) push-ups"
    case (nil, nil): "anything"
    }
  }
}
