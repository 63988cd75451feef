package import Foundation

/// A folder that is removed with it, in memory if possible.
package final class TrialFolder: Sendable {
  package let url: URL

  package init() throws {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let base =
      FileManager.default.isWritableFile(atPath: memory.path())
      ? memory : FileManager.default.temporaryDirectory
    url = base.appending(path: "topobench-soak-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
