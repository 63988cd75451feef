import ArgumentParser
import Foundation
import Measurement
import Topologies
import Workload

/// The values that a shell proposes for an option. Its script runs the command for the list.
extension CompletionKind {
  /// The shipped scenarios, and the YAML files of the current folder.
  static var scenarios: CompletionKind {
    .custom { _, _, _ in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
      let shipped = (try? ScenarioLibrary.find(folder: nil).entries().map(\.name)) ?? []
      return shipped + files.filter { $0.hasSuffix(".yaml") }.sorted()
    }
  }

  static var topologies: CompletionKind {
    .custom { _, _, _ in KnownTopologies.all.map(\.name) + ["all"] }
  }

  static var metrics: CompletionKind {
    .custom { _, _, _ in Metrics.all.filter { $0.kind != .label }.map(\.name) }
  }

  static var fields: CompletionKind {
    .custom { _, _, _ in ScenarioField.all.filter(\.canBeSet).map { "\($0.path)=" } }
  }
}
