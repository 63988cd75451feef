/// One machine's part of a run: every `count`-th round, beginning with round `number`.
///
/// Rounds stay whole, so that each machine measures every topology equally often. A cell keeps its
/// trial and its position in the whole run.
package struct Shard: Sendable, Equatable, CustomStringConvertible {
  /// From 1 to `count`.
  package let number: Int
  package let count: Int

  package static let largestCount = 10_000

  /// Parses `I/N`; nil if the text has another form, or I is not from 1 to N.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.largestCount).contains(count), (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  package var description: String { "\(number)/\(count)" }

  package func holds(trial: Int) -> Bool { (trial - 1) % count == number - 1 }
}

extension Plan {
  /// The cells of one shard; none if there are fewer rounds than shards.
  package func part(_ shard: Shard) -> Plan {
    Plan(cells: cells.filter { shard.holds(trial: $0.trial) })
  }

  /// The rounds of the plan, in order.
  package var trials: [Int] {
    var trials: [Int] = []
    for cell in cells where trials.last != cell.trial { trials.append(cell.trial) }
    return trials
  }
}
