package import Judging
import Measurement
import SQLiteStore

/// A machine's environment with the programs, the seed and the number of pairs.
package struct DuetEnvironment: Encodable, Sendable {
  private let machine: MachineEnvironment
  private let duet: Duet

  private struct Duet: Encodable {
    let baseline: [String: String]
    let candidate: [String: String]
    let seed: UInt64
    let firstPairs: Int
    let mostPairs: Int
    let metrics: [Metric]
    let targets: [Target]

    enum CodingKeys: String, CodingKey {
      case baseline, candidate, seed, metrics, targets
      case firstPairs = "first_pairs"
      case mostPairs = "most_pairs"
    }
  }

  private struct Target: Encodable {
    let target: CellKey
    let size: DuetSize?
  }

  private enum CodingKeys: String, CodingKey { case duet }

  package init(
    _ machine: MachineEnvironment, _ request: PairRequest, _ rule: DuetRule, sizes: [DuetSize?] = []
  ) {
    self.machine = machine
    let targets = request.targets.enumerated().map { index, key in
      Target(target: key, size: sizes.indices.contains(index) ? sizes[index] : nil)
    }
    duet = Duet(
      baseline: request.binaries.baseline.described,
      candidate: request.binaries.candidate.described,
      seed: request.seed, firstPairs: rule.firstPairs, mostPairs: rule.mostPairs,
      metrics: rule.metrics + rule.counts, targets: targets)
  }

  package func encode(to encoder: any Encoder) throws {
    try machine.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duet, forKey: .duet)
  }
}

extension DuetBinary {
  fileprivate var described: [String: String] {
    var fields = ["path": path, "topobench": check.topobench, "build": check.build]
    fields["binary"] = try? Machine.digest(of: path)
    fields["git_sha"] = check.gitSHA.isEmpty ? Machine.unavailable : check.gitSHA
    return fields
  }
}
