import Foundation
import Judging
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
    try self.init(
      of: files.sorted().flatMap {
        try CellCSV.decode(Array(try Data(contentsOf: URL(fileURLWithPath: $0))))
      })
  }

  init(of cells: [CellResult]) throws {
    var targets: [CellKey] = []
    var pairs: [[DuetPair]] = []
    for pair in Self.neighbours(cells) {
      let key = CellKey(pair.baseline)
      if !targets.contains(key) {
        targets.append(key)
        pairs.append([])
      }
      let place = targets.firstIndex(of: key) ?? 0
      pairs[place].append(pair)
    }
    guard let fewest = pairs.map(\.count).min(), fewest > 0 else {
      throw Failure(description: "the pool holds no pair; `judge-the-judge pool` measures some")
    }
    for key in targets { try Self.requireEqualWork(cells.filter { CellKey($0) == key }) }
    self.targets = targets
    self.pairs = pairs.map { Array($0.prefix(fewest)) }
  }

  /// Files may be of different seeds, from which a scenario may draw what is done.
  private static func requireEqualWork(_ cells: [CellResult]) throws {
    let ends = Set(cells.filter { $0.status == .ok }.map(\.fingerprint))
    guard ends.count > 1, let topology = cells.first?.topology else { return }
    throw Failure(
      description:
        "\(ends.count) different works stand in the pool of \(topology); measure all of it"
        + " with one scenario and seed")
  }

  /// How many pairs there are of each target.
  var count: Int { pairs[0].count }

  /// The cells of a pair follow each other in the file, and each says which of the two it is.
  private static func neighbours(_ cells: [CellResult]) -> [DuetPair] {
    stride(from: 0, to: cells.count - 1, by: 2).map { index in
      let (first, second) = (cells[index], cells[index + 1])
      return first.duet?.side == .candidate
        ? DuetPair(baseline: second, candidate: first)
        : DuetPair(baseline: first, candidate: second)
    }
  }

  /// The pairs of a target from a place on, round the pool's end, each with its labels as they are or
  /// exchanged. The candidate's times are multiplied.
  ///
  /// - Parameter exchanged: of each pair of the pool; empty for none.
  func drawn(
    _ target: Int, from start: Int, count: Int, slower: Double = 1, exchanged: [Bool] = []
  ) -> [DuetPair] {
    (0..<count).map { index in
      let place = (start + index) % self.count
      let pair = pairs[target][place]
      let isExchanged = exchanged.indices.contains(place) && exchanged[place]
      let (left, right) =
        isExchanged ? (pair.candidate, pair.baseline) : (pair.baseline, pair.candidate)
      return DuetPair(
        baseline: left.standing(as: .baseline),
        candidate: right.standing(as: .candidate).slower(by: slower))
    }
  }
}

// MARK: - What the doctor would say of it

extension Pool {
  /// As many pairs of each topology as the doctor measures in its minute: 64, where a pair takes 0.9 s.
  var minute: Int { max(1, 64 / targets.count) }

  /// Of every minute of the pool, in how many pairs of all topologies the doctor would promise that 10 %
  /// are found; nil where it would not.
  var promises: [Int?] {
    stride(from: 0, to: count, by: minute).map { start in
      let pairs = targets.indices.flatMap { drawn($0, from: start, count: minute) }
      // A second for each pair, so that seconds are pairs of all topologies.
      let noise = MachineNoise(
        pairs, scenario: targets[0].scenario, seconds: Double(pairs.count))
      let price = noise.flatMap {
        DuetForecast($0, topologies: targets.count).price(ofFinding: 0.1)
      }
      return price.map { Int($0.seconds) }
    }
  }
}

extension CellResult {
  /// As a cell of one side of two runs.
  fileprivate func standing(as side: DuetSide) -> CellResult {
    var cell = self
    cell.duet = nil
    // The work is equal; what else is drawn is the order of cells.
    cell.seed = 0
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
