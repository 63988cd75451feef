import ArgumentParser
import Foundation
import Harness
import Measurement
import SQLiteStore

struct PoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool",
    abstract: "Measure pairs of cells of one program, each in a fresh process, in time order.",
    discussion: """
      With --slowdown, the candidate of each pair runs with this value in TOPOBENCH_SLOWDOWN, and the \
      baseline without it. The program must be built with the trait Slowdown.
      """)

  @OptionGroup var measured: MeasuredPairs
  @Option(help: ArgumentHelp("Pairs of each topology.", valueName: "n")) var pairs: Int = 10
  @Option(help: ArgumentHelp("The seed of the order. Use another for each file.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "Nanoseconds for each object, as in merge=400 or save=150.", valueName: "path=ns"))
  var slowdown: String?
  @Option(
    help: ArgumentHelp("The CSV file. It is written as a whole or not at all.", valueName: "file"))
  var output: String

  func validate() throws {
    guard pairs > 0 else { throw ValidationError("--pairs: \(pairs) is less than 1") }
  }

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    let rows = try await measured.measure(
      pairs, seed: seed, slowdown: slowdown, interrupts: interrupts)
    try Data(CellCSV.text(rows).utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
  }
}
