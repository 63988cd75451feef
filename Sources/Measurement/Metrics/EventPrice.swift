package import Queues

/// A priced event as `PricedEvent` declares it, with its metric.
package struct EventPrice: Sendable {
  /// As in the fields `costs.<name>_us`.
  package let name: String
  /// For sentences: `a row read`.
  package let phrase: String
  /// The storage core's own cost; nil if it was not measured apart.
  package let coreUs: Double?
  /// The number of these events on main; nil if it is not counted.
  package let count: Metric?

  package static let all = PricedEvent.allCases.map { event in
    let declared = event.declaration
    return EventPrice(
      name: declared.name, phrase: declared.phrase, coreUs: declared.coreUs,
      count: Metrics.counters.first { $0.counter == declared.counter }?.metric)
  }

  package static let pushUp = PricedEvent.pushUp.name
}

extension Metrics {
  /// The columns that count main's activity.
  package static let counters: [(metric: Metric, counter: ActivityCounter)] = [
    (.mainStatements, .statements), (.mainCommits, .commits),
    (.mainRowsRead, .rowsRead), (.mainRowsWritten, .rowsWritten),
    (.mainObjectsCopied, .objectsCopied), (.mainObjectsRefreshed, .objectsRefreshed),
    (.mainFaultsFired, .faultsFired), (.mainListChanges, .listChanges),
  ]
}
