package import Foundation

/// A folder that is removed with it, in memory if possible.
package final class TrialFolder: Sendable {
  package let url: URL

  package init() throws {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let base =
      FileManager.default.isWritableFile(atPath: memory.path())
      ? memory : FileManager.default.temporaryDirectory
    Self.sweep(base)
    url = base.appending(path: "\(Self.prefix)\(getpid())-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  private static let prefix = "topobench-soak-"

  /// Removes the folders of killed processes: memory is scarce.
  private static func sweep(_ base: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: base.path())) ?? []
    for name in names where name.hasPrefix(prefix) {
      let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
      if let owner, kill(owner, 0) != 0, errno == ESRCH {
        try? FileManager.default.removeItem(at: base.appending(path: name))
      }
    }
  }

  deinit { remove() }

  /// For processes that end before it is released.
  package func remove() { try? FileManager.default.removeItem(at: url) }
}
