import ArgumentParser
import Foundation
import Harness

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the cells of a run in their order, without measuring.",
    usage: "topobench plan <options>",
    discussion: """
      Prints one JSON object a line. `topobench cell` runs one from its standard input, on this \
      machine or another. `topobench collect` makes a report of the cells' output.

      Examples:
        topobench plan --scenario 5000-cities > plan.jsonl
        parallel -j 1 --pipe -N 1 topobench cell < plan.jsonl > cells.jsonl
        topobench collect --plan plan.jsonl cells.jsonl --output report.csv
      """)

  @OptionGroup(title: "What is measured") var work: WorkOptions
  @OptionGroup(title: "How it is measured") var cells: CellOptions

  func run() async throws {
    let (scenarios, plan) = try work.resolvedPlan(cells)
    let runID = UUID().uuidString.lowercased()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let output = StandardOutput()
    for cell in plan.cells {
      var line = CellSpecification(
        planned: cell, of: scenarios[cell.variant.scenario], runID: runID, seed: work.targets.seed)
      line.label = cells.label
      line.timeLimit = cells.limit.timeout
      try output.write(String(decoding: encoder.encode(line), as: UTF8.self) + "\n", "the plan")
    }
  }
}
