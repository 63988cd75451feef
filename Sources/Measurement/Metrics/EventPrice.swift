package import Queues

/// A priced event as `PricedEvent` declares it, with its metric.
package struct EventPrice: Sendable {
  /// As in the fields `costs.<name>_us`.
  package let name: String
  /// For sentences: `a row read`.
  package let phrase: String
  /// The storage core's own cost; nil if it was not measured apart.
  package let coreUs: Double?
  /// The number of these events on main is the sum; empty if they are not counted.
  package let counts: [Metric]

  package static let all = PricedEvent.allCases.map { event in
    let declared = event.declaration
    return EventPrice(
      name: declared.name, phrase: declared.phrase, coreUs: declared.coreUs,
      counts: declared.counters.compactMap { counter in
        counter == .objectsCreated
          ? .mainObjectsCreated : Metrics.counters.first { $0.counter == counter }?.metric
      })
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
