import Foundation
import Harness

// Folders that a run measures in.

extension DiskOption {
  /// Makes a folder for this run's stores, on the disk to measure. The caller removes it.
  func makeFolder() throws -> URL {
    let parent = disk.map { URL(fileURLWithPath: $0, isDirectory: true) }
    return try Self.makeFolder(in: parent ?? FileManager.default.temporaryDirectory)
  }

  static func makeFolder(in parent: URL) throws -> URL {
    guard FileSystem.isFolder(parent) else {
      throw UsageError("--disk: '\(parent.path)' is not a folder; create it, or name another")
    }
    do {
      return try RunFolder.make(in: parent)
    } catch {
      throw UsageError("--disk: cannot write in '\(parent.path)': \(error); name another folder")
    }
  }
}

extension FileOptions {
  /// The folder of `--keep-stores`, created if missing.
  ///
  /// - Throws: `UsageError` if it already holds stores and may not be overwritten.
  func keepFolder() throws -> URL? {
    guard let keepStores else { return nil }
    let folder = URL(fileURLWithPath: keepStores, isDirectory: true)
    let names: [String]
    do {
      try FileSystem.makeFolder(at: folder)
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw UsageError("--keep-stores: cannot use '\(keepStores)': \(error); name another folder")
    }
    if !force, !resume, let store = names.first(where: { $0.hasSuffix(".sqlite") }) {
      throw UsageError(
        "--keep-stores: '\(keepStores)' already holds '\(store)'; name another folder, or --force")
    }
    return folder
  }
}
