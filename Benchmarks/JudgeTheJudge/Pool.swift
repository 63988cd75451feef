import Foundation
import Measurement

/// Pairs that were measured one after another, of one program: whatever tells their cells apart is
/// chance.
struct Pool {
  let targets: [CellKey]
  /// Of each target, in time order.
  let pairs: [[DuetPair]]

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads files of `pool`, in the order of their names.
  init(reading files: [String]) throws {
    var targets: [CellKey] = []
    var pairs: [[DuetPair]] = []
    for file in files.sorted() {
      let cells = try CellCSV.decode(Array(try Data(contentsOf: URL(fileURLWithPath: file))))
      for (first, second) in Self.neighbours(cells) {
        let key = CellKey(first)
        if !targets.contains(key) {
          targets.append(key)
          pairs.append([])
        }
        let place = targets.firstIndex(of: key) ?? 0
        pairs[place].append(DuetPair(baseline: first, candidate: second))
      }
    }
    guard let fewest = pairs.map(\.count).min(), fewest > 0 else {
      throw Failure(description: "the pool holds no pair; `judge-the-judge pool` measures some")
    }
    self.targets = targets
    self.pairs = pairs.map { Array($0.prefix(fewest)) }
  }

  /// How many pairs there are of each target.
  var count: Int { pairs[0].count }

  /// The cells of a pair follow each other in the file.
  private static func neighbours(_ cells: [CellResult]) -> [(CellResult, CellResult)] {
    stride(from: 0, to: cells.count - 1, by: 2).map { (cells[$0], cells[$0 + 1]) }
  }

  /// The pairs of a target from a place on, round the pool's end, each with its labels as they are or
  /// exchanged, as often one as the other. The candidate's times are multiplied.
  func drawn(
    _ target: Int, from start: Int, count: Int, slower: Double, exchanged: [Bool]
  ) -> [DuetPair] {
    (0..<count).map { index in
      let pair = pairs[target][(start + index) % self.count]
      let isExchanged = exchanged[(start + index) % self.count]
      let (left, right) =
        isExchanged ? (pair.candidate, pair.baseline) : (pair.baseline, pair.candidate)
      return DuetPair(
        baseline: left.standing(as: .baseline),
        candidate: right.standing(as: .candidate).slower(by: slower))
    }
  }
}

extension CellResult {
  /// As a cell of one side of two runs.
  fileprivate func standing(as side: DuetSide) -> CellResult {
    var cell = self
    cell.duet = nil
    cell.runID = side.rawValue
    cell.label = side.rawValue
    return cell
  }

  fileprivate func slower(by factor: Double) -> CellResult {
    guard factor != 1, let blocked = metrics["main_blocked_ms"] else { return self }
    var cell = self
    cell.metrics["main_blocked_ms"] = blocked * factor
    return cell
  }
}
