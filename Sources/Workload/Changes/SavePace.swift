/// When the saves of a stream are due, on a grid that a late save does not move.
///
/// Without a span, save *n* is due at *n* / rate. With one, the saves due in it are joined into
/// one, due at its end:
///
///     arrive   0   10   20   30   40   50        100 saves/s, joined in spans of 25 ms
///     due                25        50        75
///     holds            0 1 2      3 4        5
package struct SavePace: Sendable, Equatable {
  /// Saves per second; 0 if each follows the last at once.
  package var perSecond = 0.0
  /// Zero to join none.
  package var span = Duration.zero

  /// Seconds beyond every horizon. Later times may not fit into a `Duration`.
  private static let latest = 100_000.0

  /// No times without a rate.
  func paced(_ batches: [[RowChange]]) -> (batches: [[RowChange]], due: [Duration]) {
    guard perSecond > 0 else { return (batches, []) }
    let arrivals = batches.indices.map {
      Duration.seconds(min(Double($0) / perSecond, Self.latest))
    }
    guard span > .zero else { return (batches, arrivals) }
    var joined: [[RowChange]] = []
    var due: [Duration] = []
    for (batch, arrival) in zip(batches, arrivals) {
      let end = span * (Int(arrival / span) + 1)
      if due.last == end {
        joined[joined.count - 1] += batch
      } else {
        joined.append(batch)
        due.append(end)
      }
    }
    return (joined, due)
  }
}
