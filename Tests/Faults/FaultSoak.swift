import ArgumentParser
import Foundation
import SQLiteStore
import Support

@main struct FaultSoak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault-soak",
    abstract: "Stories on a disk that fails, or loses its power.",
    subcommands: [Calls.self, Cuts.self, Kills.self, Tell.self])
}

/// A folder that is removed with it, in memory if possible.
final class TrialFolder {
  let url: URL

  init() throws {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let base =
      FileManager.default.isWritableFile(atPath: memory.path())
      ? memory : FileManager.default.temporaryDirectory
    url = base.appending(path: "topobench-faults-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
