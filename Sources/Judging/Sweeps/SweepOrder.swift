import Measurement

struct SweepOrder {
  private let points: [SweepPoint]
  private let medians: [[String: Double]]
  /// Pairs by point, the better topology first.
  private let separated: [Set<[String]>]

  init(_ points: [SweepPoint]) {
    self.points = points
    medians = points.map { point in
      Dictionary(uniqueKeysWithValues: point.ranking.places.map { ($0.name, $0.median) })
    }
    separated = points.map { point in
      Set(point.ranking.pairs.filter(\.isSeparated).map { [$0.better, $0.worse] })
    }
  }

  /// - Returns: changes that both rankings separate. For pairs without one, the first of medians.
  func crossovers() -> (separated: [Crossover], unclear: [Crossover]) {
    let names = Set(medians.flatMap(\.keys)).sorted()
    var claimed: [Crossover] = []
    var unclear: [Crossover] = []
    for (index, first) in names.enumerated() {
      for second in names[(index + 1)...] {
        let found = changes(first, second, winner: separatedWinner)
        claimed += found
        if found.isEmpty { unclear += changes(first, second, winner: medianWinner).prefix(1) }
      }
    }
    return (inOrder(claimed), inOrder(unclear))
  }

  /// Changes of the winner between consecutive points that have one.
  private func changes(
    _ first: String, _ second: String, winner: (Int, String, String) -> String?
  ) -> [Crossover] {
    var changes: [Crossover] = []
    var last: (point: Int, winner: String)?
    for point in points.indices {
      guard let winner = winner(point, first, second) else { continue }
      if let last, last.winner != winner {
        changes.append(
          Crossover(
            before: last.winner, after: winner, from: points[last.point].value,
            to: points[point].value, estimate: estimate(last.point, point, last.winner, winner)))
      }
      last = (point, winner)
    }
    return changes
  }

  private func separatedWinner(_ point: Int, _ first: String, _ second: String) -> String? {
    if separated[point].contains([first, second]) { return first }
    return separated[point].contains([second, first]) ? second : nil
  }

  private func medianWinner(_ point: Int, _ first: String, _ second: String) -> String? {
    guard let lead = lead(of: first, over: second, at: point), lead != 0 else { return nil }
    return lead > 0 ? first : second
  }

  /// Linear interpolation between the two points.
  private func estimate(_ from: Int, _ to: Int, _ before: String, _ after: String) -> Double? {
    guard let low = points[from].value.number, let high = points[to].value.number,
      let start = lead(of: before, over: after, at: from),
      let end = lead(of: before, over: after, at: to), start > 0, end < 0
    else { return nil }
    return low + (high - low) * start / (start - end)
  }

  private func lead(of first: String, over second: String, at point: Int) -> Double? {
    guard let left = medians[point][first], let right = medians[point][second] else { return nil }
    return right - left
  }

  private func inOrder(_ crossovers: [Crossover]) -> [Crossover] {
    crossovers.sorted {
      ($0.from, $0.to, $0.before, $0.after) < ($1.from, $1.to, $1.before, $1.after)
    }
  }
}
