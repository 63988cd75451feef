import ArgumentParser
import Foundation
import Harness
import Reports
import SQLiteStore
import Topologies
import Workload

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List scenarios, topologies or metrics.")

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case scenarios, topologies, metrics
  }

  @Argument(help: "scenarios, topologies or metrics.") var kind: Kind
  @Option(help: ArgumentHelp("Folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?

  func run() async throws {
    switch kind {
    case .scenarios: try listScenarios()
    case .topologies: listTopologies()
    case .metrics: print(MetricsList.render(style: .standardOutput), terminator: "")
    }
  }

  private func listScenarios() throws {
    let library = try ScenarioLibrary.find(folder: scenariosFolder)
    let style = TextStyle.standardOutput
    for entry in library.entries() {
      print(style.printable(entry.name))
      print("  " + style.printable(entry.problem.map { "cannot be used: \($0)" } ?? entry.asks))
    }
  }

  private func listTopologies() {
    let entries = KnownTopologies.all.map(TopologiesList.Entry.init)
    print(TopologiesList.render(entries, style: .standardOutput), terminator: "")
  }
}

extension TopologiesList.Entry {
  init(_ topology: TopologyDescriptor) {
    self.init(
      name: topology.name,
      marks: topology.kind.marks
        + (topology.fixedStoreMode.map { ["store: \($0.rawValue) only"] } ?? []),
      picture: topology.wiring, summary: topology.summary, mainCosts: topology.mainCosts ?? "",
      chooseWhen: topology.chooseWhen ?? "",
      refusals: topology.refusalSentences.joined(separator: " "))
  }
}

extension TopologyDescriptor.Kind {
  fileprivate var marks: [String] {
    switch self {
    case .contexts: []
    case .peer: ["peer, no contexts"]
    case .antiPattern: ["anti-pattern"]
    }
  }
}
