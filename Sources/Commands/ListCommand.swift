import ArgumentParser
import Foundation
import Harness
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
        topobench list topologies
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

  func run() async throws {
    switch kind {
    case .scenarios: try list(scenarios())
    case .topologies: try list(topologies)
    case .metrics: try list(MetricsList.render(style: .standardOutput))
    }
  }

  private func list(_ text: String) throws { try StandardOutput().write(text, "the list") }

  private func scenarios() throws -> String {
    let style = TextStyle.standardOutput
    return try ScenarioLibrary.find(folder: scenariosFolder).entries().map { entry in
      let about = entry.problem.map { "cannot be used: \($0)" } ?? entry.asks
      return "\(style.printable(entry.name))\n  \(style.printable(about))\n"
    }.joined()
  }

  private var topologies: String {
    TopologiesList.render(
      KnownTopologies.all.map(TopologiesList.Entry.init), style: .standardOutput)
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
