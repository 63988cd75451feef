import Foundation

/// Removed with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench test \(UUID().uuidString)", isDirectory: true)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch { fatalError("the tests have no folder: \(error)") }
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
