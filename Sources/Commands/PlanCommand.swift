import ArgumentParser
import Foundation
import Harness
import SQLiteStore
import Workload

struct PlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the cells of a run in their order, and measure nothing.",
    usage: "topobench plan <options>",
    discussion: "One JSON object a line: trial, order, scenario, topology, store.")

  @OptionGroup(title: "What is measured") var work: WorkOptions

  private struct Line: Encodable {
    let trial: Int
    let order: Int
    let scenario: String
    let parameters: String
    let topology: String
    let store: String
  }

  func run() async throws {
    let scenarios = try work.resolvedScenarios()
    let topologies = try work.resolvedTopologies()
    let plan = Plan(
      variants: work.variants(scenarios, topologies),
      trials: try work.resolvedTrials(scenarios, topologies: topologies.count), seed: work.seed)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for cell in plan.cells {
      let scenario = scenarios[cell.variant.scenario].scenario
      let line = Line(
        trial: cell.trial, order: cell.order, scenario: scenario.name,
        parameters: scenario.parametersJSON, topology: cell.variant.topology,
        store: cell.variant.store.rawValue)
      print(String(decoding: try encoder.encode(line), as: UTF8.self))
    }
  }
}
