package import Judging

/// A format that tools for benchmarks over commits read.
package struct ExportFormat: Sendable {
  package let name: String
  /// Whether a file holds many runs of one scenario, a row each; otherwise it holds one run.
  package let holdsHistory: Bool
  package let render: @Sendable ([RunMedians]) throws -> String

  init(
    _ name: String, holdsHistory: Bool, render: @escaping @Sendable ([RunMedians]) throws -> String
  ) {
    (self.name, self.holdsHistory, self.render) = (name, holdsHistory, render)
  }

  package static let all: [ExportFormat] = [
    .otava,
    .githubBenchmark,
    .bencher,
  ]
}
