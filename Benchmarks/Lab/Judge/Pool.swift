import Foundation
import Judging
import Measurement

/// Pairs of cells, all of one program. Any difference between the cells of a pair is chance.
struct Pool {
  let targets: [CellKey]
  /// The pairs of each target, in time order.
  let pairs: [[DuetPair]]

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  init(reading files: [String]) throws {
    try self.init(
      of: files.sorted().flatMap {
        try CellCSV.decode(Array(try Data(contentsOf: URL(fileURLWithPath: $0))))
      })
  }

  init(of cells: [CellResult]) throws {
    // A pool is measured in one session, so its machine needs no name.
    let cells = cells.map { cell in
      var cell = cell
      if cell.hostID.isEmpty { cell.hostID = "one" }
      return cell
    }
    let groups = Self.neighbours(cells).grouped { CellKey($0.baseline) }
    guard let fewest = groups.map(\.elements.count).min() else {
      throw Failure(description: "the pool holds no pair; `scripts/lab judge pool` measures some")
    }
    targets = groups.map(\.key)
    pairs = groups.map { Array($0.elements.prefix(fewest)) }
    for key in targets { try Self.requireEqualWork(cells.filter { CellKey($0) == key }) }
  }

  /// Files may differ in their seeds, which may change a scenario's work.
  private static func requireEqualWork(_ cells: [CellResult]) throws {
    let ends = Set(cells.filter { $0.status == .ok }.map(\.fingerprint))
    guard ends.count > 1, let topology = cells.first?.topology else { return }
    throw Failure(
      description:
        "\(ends.count) different works stand in the pool of \(topology); measure all of it"
        + " with one scenario and seed")
  }

  /// The number of pairs of each target.
  var count: Int { pairs[0].count }

  /// The two cells of a pair are adjacent in the file, and each names its side.
  private static func neighbours(_ cells: [CellResult]) -> [DuetPair] {
    stride(from: 0, to: cells.count - 1, by: 2).map { index in
      let (first, second) = (cells[index], cells[index + 1])
      return first.duet?.side == .candidate
        ? DuetPair(baseline: second, candidate: first)
        : DuetPair(baseline: first, candidate: second)
    }
  }

  /// The pairs of a target from an index on, wrapping at the pool's end. Multiplies the candidate's
  /// times by `slower`.
  ///
  /// - Parameter exchanged: for each pair of the pool, whether its labels are exchanged; empty for
  ///   none.
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

// MARK: - The doctor's estimates

extension Pool {
  /// The doctor's pairs of each topology in a minute: 64 in total, at 0.9 s each.
  var minute: Int { max(1, 64 / targets.count) }

  /// For each minute of the pool: the doctor's estimate of all topologies' pairs to find 10 %.
  var neededPairs: [Int?] {
    stride(from: 0, to: count, by: minute).map { start in
      let pairs = targets.indices.flatMap { drawn($0, from: start, count: minute) }
      // One second for each pair, so that seconds count pairs of all topologies.
      let noise = MachineNoise(pairs, scenario: targets[0].scenario, seconds: Double(pairs.count))
      let price = noise.flatMap {
        DuetForecast($0, topologies: targets.count).price(ofFinding: 0.1)
      }
      return price.map { Int($0.seconds) }
    }
  }
}

extension CellResult {
  /// The cell as a part of one of two runs.
  fileprivate func standing(as side: Side) -> CellResult {
    var cell = self
    cell.duet = nil
    // The work is equal; the seed only changes the order of cells.
    cell.seed = 0
    cell.runID = side.rawValue
    cell.label = side.rawValue
    return cell
  }

  fileprivate func slower(by factor: Double) -> CellResult {
    guard factor != 1, let blocked = metrics[.mainBlocked] else { return self }
    var cell = self
    cell.metrics[.mainBlocked] = blocked * factor
    return cell
  }
}
