import ArgumentParser
import Foundation
import Harness
import Measurement
import Reports
import SQLiteStore
import Topologies
import Workload

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List scenarios, topologies or metrics.",
    discussion: """
      Examples:
        topobench list scenarios
        topobench list topologies --format json
      """)

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case scenarios, topologies, metrics

    init?(argument: String) {
      let name = argument == "topology" ? "topologies" : argument
      guard let kind = Kind(rawValue: name) ?? Kind(rawValue: name + "s") else { return nil }
      self = kind
    }
  }

  @Argument(help: "scenarios, topologies or metrics.") var kind: Kind
  @Option(help: .init("Folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?

  @Option(help: "Format of the list.") var format: OutputFormat<JSONFormat> = .table

  func run() async throws {
    let text = try listing().render(as: format, style: .standardOutput)
    try StandardOutput().write(text, "the list")
  }

  private func listing() throws -> Listing {
    switch kind {
    case .scenarios:
      try Listing(
        scenarios: ScenarioLibrary.find(folder: scenariosFolder).entries().map { entry in
          Listing.Scenario(
            name: entry.name,
            asks: entry.problem.map { "cannot be used: \($0)" } ?? entry.asks,
            isUsable: entry.problem == nil)
        })
    case .topologies: Listing(topologies: KnownTopologies.all.map(TopologiesList.Entry.init))
    case .metrics: Listing(metrics: Metrics.all)
    }
  }
}

extension TopologiesList.Entry {
  init(_ topology: TopologyDescriptor) {
    self.init(
      name: topology.name,
      marks: topology.kind.marks
        + (topology.fixedStoreMode.map { ["store: \($0.rawValue) only"] } ?? []),
      picture: topology.wiring, knownAs: topology.knownAs, summary: topology.summary,
      mainCosts: topology.mainCosts ?? "", chooseWhen: topology.chooseWhen ?? "",
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
