package import SQLiteStore
import Support

// A run's cells, in the order in which they are run:
//
//   round 1   [merge/pool  A] [child/pool  A] [main/pool  A] …      a round: everything once
//   round 2   [main/pool  A]  [merge/pool  A] …                     trial = round
//
// Within a round the order is a row of a Latin square. In as many rounds as a round has cells,
// every cell has every position once, and follows every other cell about equally often. The seed
// draws the row of each round. So a topology's figures do not depend on its position, and a slow
// spell of the machine affects all topologies alike.

/// A cell without its trial: each round has it once.
package struct Variant: Sendable, Equatable {
  package let scenario: Int
  package let topology: String
  package let store: StoreMode

  package init(scenario: Int, topology: String, store: StoreMode) {
    self.scenario = scenario
    self.topology = topology
    self.store = store
  }
}

package struct PlannedCell: Sendable, Equatable {
  package let variant: Variant
  package let trial: Int
  /// From 1.
  package let order: Int
}

package struct Plan: Sendable {
  package let cells: [PlannedCell]

  init(cells: [PlannedCell]) { self.cells = cells }

  /// With one seed, a plan with fewer trials is the beginning of one with more.
  package init(variants: [Variant], trials: Int, seed: UInt64) {
    precondition(!variants.isEmpty && trials > 0, "an empty plan")
    var random = SplitMix64(seed: seed)
    let letters = random.shuffledForward(variants)
    var cells: [PlannedCell] = []
    var rows: [Int] = []
    for trial in 1...trials {
      if rows.isEmpty { rows = random.shuffledForward(Array(letters.indices)) }
      for letter in Self.squareRow(rows.removeLast(), of: letters.count) {
        cells.append(PlannedCell(variant: letters[letter], trial: trial, order: cells.count + 1))
      }
    }
    self.cells = cells
  }

  /// A row of Williams's square: 0, 1, n−1, 2, n−2, … each plus the row's number, modulo n. For
  /// even n every letter follows every other exactly once over all rows.
  ///
  /// Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects
  /// of treatments", 1949.
  private static func squareRow(_ row: Int, of size: Int) -> [Int] {
    (0..<size).map { column in
      let step = column % 2 == 1 ? (column + 1) / 2 : (size - column / 2) % size
      return (step + row) % size
    }
  }
}

/// One machine's part of a run: every `count`-th round, beginning with round `number`.
///
/// Rounds stay whole, so that each machine measures every topology equally often. A cell keeps its
/// trial and its position in the whole run.
package struct Shard: Sendable, Equatable, CustomStringConvertible {
  /// From 1 to `count`.
  package let number: Int
  package let count: Int

  package static let largestCount = 10_000

  /// Parses `I/N`; nil unless I is from 1 to N.
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
  /// Empty if the shard's number is above the number of rounds.
  package func part(_ shard: Shard) -> Plan {
    Plan(cells: cells.filter { shard.holds(trial: $0.trial) })
  }

  package var trials: [Int] { cells.map(\.trial).unique }
}
