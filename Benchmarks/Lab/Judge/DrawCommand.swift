import Support
import ArgumentParser
import Foundation
import Judging
import Measurement

struct DrawCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract:
      "Draw duets and gates from a pool, and print how often they fail, pass or are inconclusive.",
    discussion: """
      The labels of each pair are exchanged at random. So nothing differs, and each `fail` is a false \
      alarm. --slower multiplies the candidate's main_blocked_ms in one topology after another. That \
      simulates a pure slowdown. --slowed replaces one topology's pairs by pairs with a slowed \
      candidate. Each decision other than `fail` is then a miss. Put files of one kind into a folder; \
      the table shows its name. The last column counts the decisions found within the doctor's \
      estimate for 10 % from the minute before, and shows the median of those estimates.
      """)

  @Argument(help: "Files of `judge pool`.") var pool: [String]
  @Option(help: ArgumentHelp("The number of draws of each kind.", valueName: "n")) var draws = 2_000
  @Option(help: ArgumentHelp("The most pairs of a duet's second look.", valueName: "n"))
  var mostPairs = 80
  @Option(
    parsing: .upToNextOption, help: ArgumentHelp("Trials on each side of a gate.", valueName: "n"))
  var gateTrials = [20]
  @Option(help: ArgumentHelp("Multiplies the candidate's times. Repeatable.", valueName: "factor"))
  var slower: [Double] = []
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Files of `judge pool --slowdown`.", valueName: "file"))
  var slowed: [String] = []
  @Option(help: ArgumentHelp("The seed of the draws.", valueName: "n")) var seed: UInt64 = 1

  func validate() throws {
    guard draws > 0, mostPairs > 0, gateTrials.allSatisfy({ $0 > 0 }) else {
      throw ValidationError("--draws, --most-pairs and --gate-trials must be at least 1")
    }
    guard slower.allSatisfy({ $0.isFinite && $0 > 0 }) else {
      throw ValidationError("--slower: a factor must be above 0")
    }
  }

  func run() async throws {
    var drawing = try Drawing(
      Pool(reading: pool), mostPairs: mostPairs, mostTrials: gateTrials.max() ?? 0)
    let slowedPools = try slowed.byFolder.map { name, files in
      try SlowedPool(reading: files, named: name, into: drawing)
    }
    if !slower.isEmpty || !slowedPools.isEmpty { drawing.estimateNeededPairs() }
    print("\(drawing.pool.count) pairs of each of \(drawing.pool.targets.count) topologies\n")
    print(Rates.header)
    printEqualSides(drawing)
    for (target, key) in drawing.pool.targets.enumerated() {
      for factor in slower {
        let slower = Slower(target: target, factor: factor)
        let what = "\(key.topology) × \(factor.formatted())"
        printRates("duet: \(what)") { drawing.duet(slower: slower, using: &$0) }
        printGates(what) { drawing.gate(trials: $0, slower: slower, using: &$1) }
      }
    }
    for pool in slowedPools {
      let what = "\(pool.name), \(pool.effect.text)"
      printRates("duet: \(what)") { drawing.duet(slowed: pool, using: &$0) }
      printGates(what) { drawing.gate(trials: $0, slowed: pool, using: &$1) }
    }
  }

  private func printEqualSides(_ drawing: Drawing) {
    printRates("duet: nothing differs") { drawing.duet(using: &$0) }
    printGates("nothing differs") { drawing.gate(trials: $0, using: &$1) }
    for trials in gateTrials {
      printRates("gate, \(trials) trials, taken apart: nothing differs") {
        drawing.gateApart(trials: trials, using: &$0)
      }
    }
  }

  private func printGates(_ what: String, _ decide: (Int, inout SplitMix64) -> Decision) {
    for trials in gateTrials {
      printRates("gate, \(trials) trials: \(what)") { decide(trials, &$0) }
    }
  }

  private func printRates(_ name: String, _ decide: (inout SplitMix64) -> Decision) {
    var random = SplitMix64(seed: seed)
    var rates = Rates()
    for _ in 0..<draws { rates.add(decide(&random)) }
    print(rates.row(name))
  }
}

extension [String] {
  var byFolder: [(name: String, files: [String])] {
    Dictionary(grouping: sorted()) {
      URL(fileURLWithPath: $0).deletingLastPathComponent().lastPathComponent
    }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
