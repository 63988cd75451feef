import ArgumentParser
import Foundation
import Judging
import Measurement
import Support

struct RankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rank",
    abstract:
      "Draw rankings of equal topologies from a pool, and print how often they separate any.",
    discussion: """
      Each ranking takes consecutive cells of one topology. A round's cells get the names of \
      pseudo-topologies at random. So nothing differs, and each separated pair is false. The numbers of \
      trials are those of a run by default, and one at which signed ranks compare within rounds. The \
      command fails if an interval lies above 5 %.
      """)

  @Argument(help: "Files of `judge pool`.") var pool: [String]
  @Option(help: ArgumentHelp("The number of rankings of each kind.", valueName: "n"))
  var draws = 2_000
  @Option(help: ArgumentHelp("The seed of the draws.", valueName: "n")) var seed: UInt64 = 1

  private static let kinds =
    [2, 4, 7, 13, 20].map { (topologies: $0, trials: Trials.needed(topologies: $0)) }
    + [(topologies: 4, trials: Trials.signedRanks(topologies: 4))]

  func validate() throws {
    guard draws > 0 else { throw ValidationError("--draws: \(draws) is less than 1") }
  }

  func run() throws {
    let pool = try Pool(reading: pool)
    let needed = Self.kinds.map { $0.topologies * $0.trials }.max() ?? 0
    guard 2 * pool.count >= needed else {
      throw Pool.Failure(
        description: "the pool has \(pool.count) pairs of a topology, and \(needed / 2) are needed")
    }
    print("\(pool.count) pairs of each of \(pool.targets.count) topologies\n")
    print(
      "| equal topologies | trials | rankings | any pair separated |\n| --: | --: | --: | --: |")
    let shares = Self.kinds.map { kind in
      let share = falselySeparated(pool, topologies: kind.topologies, trials: kind.trials)
      print("| \(kind.topologies) | \(kind.trials) | \(draws) | \(share.text) |")
      return share
    }
    guard shares.allSatisfy({ $0.lower < Trials.alpha }) else {
      throw Pool.Failure(
        description: "more than 5 % of rankings of equal topologies separate a pair")
    }
  }

  private func falselySeparated(_ pool: Pool, topologies: Int, trials: Int) -> Proportion {
    var random = SplitMix64(seed: seed)
    let separated = (0..<draws).count { draw in
      let ranking = pool.ranking(
        ofEqual: topologies, trials: trials, target: draw % pool.targets.count, using: &random)
      return ranking.pairs.contains(where: \.isSeparated)
    }
    return Proportion(separated, of: draws)
  }
}

extension Pool {
  fileprivate func ranking(
    ofEqual topologies: Int, trials: Int, target: Int,
    using random: inout some RandomNumberGenerator
  ) -> Ranking {
    let start = Int.random(in: 0..<count, using: &random)
    let pairs = drawn(target, from: start, count: (topologies * trials + 1) / 2)
    let blocked = pairs.flatMap { [$0.baseline, $0.candidate] }.map {
      $0.metrics[.mainBlocked] ?? 0
    }
    var values = [[Double?]](repeating: [], count: topologies)
    for round in 0..<trials {
      let cells = blocked.dropFirst(round * topologies).prefix(topologies).shuffled(using: &random)
      for (topology, value) in cells.enumerated() { values[topology].append(value) }
    }
    return Ranking(values.enumerated().map { ("t\($0)", $1) })
  }
}

extension Proportion {
  fileprivate var text: String {
    let shares = [share, lower, upper].map { String(format: "%.2f", $0 * 100) }
    return "\(shares[0]) % (\(shares[1])–\(shares[2]) %)"
  }
}
