package import Judging

/// A format that a tool for benchmarks over commits reads.
package struct ExportFormat: Sendable {
  package let name: String
  /// Whether a file holds a row for each run of one scenario; otherwise it holds one run.
  package let holdsHistory: Bool
  /// - Precondition: all runs are of one scenario, or there is one run, as `holdsHistory` says.
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
