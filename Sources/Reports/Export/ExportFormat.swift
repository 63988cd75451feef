package import Judging

/// A format that tools for benchmarks over commits read.
package struct ExportFormat: Sendable {
  package let name: String
  /// Whether a file holds many runs of one scenario, a row each; otherwise it holds one run.
  package let holdsHistory: Bool
  package let render: @Sendable ([RunMedians]) throws -> String

  package static let all: [ExportFormat] = [.otava, .githubBenchmark, .bencher]
}
