package import SQLiteStore
import Support

// A run's cells, in the order in which they are run:
//
//   round 1   [merge/pool  A] [child/pool  A] [main/pool  A] …      a round: everything once
//   round 2   [main/pool  A]  [merge/pool  A] …                     trial = round
//
// Within a round the order is a row of a Latin square. In as many rounds as a round has cells,
// every
// cell has every position once, and follows every other cell about equally often. The seed decides
// which row a round has, and which cell a letter of the square is. So a topology's figures do not
// depend on its position, and a slow spell of the machine affects all topologies alike.

/// A cell without its trial: each round has it once.
package struct Variant: Sendable, Equatable {
  /// The index of the scenario in the run.
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
  /// The round, from 1.
  package let trial: Int
  /// The position in the run, from 1.
  package let order: Int
}

/// The order of a run's cells: seeded, balanced and shuffled.
package struct Plan: Sendable {
  package let cells: [PlannedCell]

  init(cells: [PlannedCell]) { self.cells = cells }

  /// A plan begins with the cells of any plan with fewer trials.
  ///
  /// - Precondition: there is at least one variant and one trial.
  package init(variants: [Variant], trials: Int, seed: UInt64) {
    precondition(!variants.isEmpty && trials > 0, "an empty plan")
    var random = SplitMix64(seed: seed)
    let letters = random.shuffledForward(variants)
    var cells: [PlannedCell] = []
    var rows: [Int] = []
    for trial in 1...trials {
      if rows.isEmpty { rows = random.shuffledForward(Array(letters.indices)) }
      for letter in Self.squareRow(rows.removeLast(), of: letters.count) {
        cells.append(
          PlannedCell(variant: letters[letter], trial: trial, order: cells.count + 1))
      }
    }
    self.cells = cells
  }

  /// A row of Williams's square: 0, 1, n−1, 2, n−2, … each plus the row's number, modulo n. For
  /// even n
  /// every letter follows every other exactly once over all rows.
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
