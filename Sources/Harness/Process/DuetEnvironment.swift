package import Judging
import Measurement
import SQLiteStore

/// With the programs, the seed and the number of pairs.
package struct DuetEnvironment: Encodable, Sendable {
  private let machine: MachineEnvironment
  private let duet: Duet

  private struct Duet: Encodable {
    let baseline: Binary
    let candidate: Binary
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

  private struct Binary: Encodable {
    let path: String
    let binary: String?
    let topobench: String
    let gitSHA: String
    let build: String

    enum CodingKeys: String, CodingKey {
      case path, binary, topobench, build
      case gitSHA = "git_sha"
    }

    init(_ program: DuetBinary) {
      path = program.path
      binary = Machine.digest(of: program.path)
      topobench = program.check.topobench
      gitSHA = program.check.gitSHA.unlessUnavailable ?? Machine.unavailable
      build = program.check.build
    }
  }

  private struct Target: Encodable {
    let target: CellKey
    let size: DuetSize?
  }

  private enum CodingKeys: String, CodingKey { case duet }

  package init(
    _ machine: MachineEnvironment, _ request: PairRequest, _ rule: DuetRule,
    sizes: [DuetSize?] = []
  ) {
    self.machine = machine
    let targets = request.targets.enumerated().map { index, key in
      Target(target: key, size: sizes.indices.contains(index) ? sizes[index] : nil)
    }
    duet = Duet(
      baseline: Binary(request.binaries.baseline), candidate: Binary(request.binaries.candidate),
      seed: request.seed, firstPairs: rule.firstPairs, mostPairs: rule.mostPairs,
      metrics: rule.metrics + rule.counts, targets: targets)
  }

  package func encode(to encoder: any Encoder) throws {
    try machine.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duet, forKey: .duet)
  }
}
