import ArgumentParser
import Foundation
import Measurement
import Topologies
import Workload

/// The values that a shell proposes for an option. Its script runs the command for the list.
extension CompletionKind {
  /// The shipped scenarios, and the YAML files of the current folder.
  static var scenarios: CompletionKind { .custom { _, _, _ in shipped + files } }

  /// Of cells that were measured: a report has a scenario's name, not its file.
  static var measuredScenarios: CompletionKind {
    .custom { _, _, _ in shipped + files.map { String($0.dropLast(suffix.count)) } }
  }

  private static let suffix = ".yaml"

  private static var shipped: [String] {
    (try? ScenarioLibrary.find(folder: nil).entries().map(\.name)) ?? []
  }

  private static var files: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    return files.filter { $0.hasSuffix(suffix) }.sorted()
  }

  static var topologies: CompletionKind {
    .custom { _, _, _ in KnownTopologies.all.map(\.name) + ["all"] }
  }

  /// For options that do not know `all`.
  static var measuredTopologies: CompletionKind {
    .custom { _, _, _ in KnownTopologies.all.map(\.name) }
  }

  static var metrics: CompletionKind {
    .custom { _, _, _ in Metrics.all.filter { $0.kind != .label }.map(\.name) }
  }

  static var exactCounts: CompletionKind {
    .custom { _, _, _ in Metrics.exactCounts.map(\.name) }
  }

  static var fields: CompletionKind {
    .custom { _, _, _ in ScenarioField.all.filter(\.canBeSet).map { "\($0.path)=" } }
  }
}
