import Baseline
package import Foundation
import Repeats
import SQLiteStore
import SystemPackage
import Workload

/// A template with the initial rows, and the copies that repeats use.
final class CellFiles {
  let progress: CellProgress
  private let folder: URL
  private let template: URL
  /// With the model's current version: the baseline migrates nothing.
  private let current: URL
  private(set) var last: URL?
  private var count = 0
  let syncMilliseconds: Double?
  private(set) var lastStoreMiB: Double?

  /// Creates the template, or takes that of an earlier cell of the run.
  ///
  /// - Parameter templates: where the run's cells share templates; nil if they do not.
  init(_ folder: URL, cell: PreparedCell, sharing templates: URL? = nil) throws {
    progress = CellProgress(in: folder)
    self.folder = folder
    let own = folder.appendingPathComponent("template.sqlite")
    let shared = templates?.appendingPathComponent("template-\(cell.workload.digest).sqlite")
    template = shared ?? own
    if shared == nil || !FileManager.default.fileExists(atPath: template.path) {
      try cell.createTemplate(at: own, version: cell.scenario.store.version)
      // Copies, their WALs and indexes get the same permissions.
      chmod(own.path, 0o600)
      if let shared, rename(own.path, shared.path) != 0 {
        throw FileError("write", shared.path, Errno(rawValue: errno))
      }
    }
    current = try Self.current(of: cell, template, in: folder)
    syncMilliseconds = SyncTime.median(in: folder)
  }

  private static func current(
    of cell: PreparedCell, _ template: URL, in folder: URL
  ) throws -> URL {
    guard cell.scenario.store.version == .previous else { return template }
    let current = folder.appendingPathComponent("current.sqlite")
    try cell.createTemplate(at: current, version: .current)
    return current
  }

  func freshStore() throws -> URL {
    if let last { try StoreFile.remove(at: last) }
    count += 1
    let store = folder.appendingPathComponent("store-\(count).sqlite")
    try Self.copy(template, to: store)
    last = store
    return store
  }

  private static func copy(_ store: URL, to destination: URL) throws {
    do {
      try StoreFile.copy(store, to: destination)
    } catch let error as CocoaError {
      // The Cocoa error names the source.
      throw FileError("copy a store to", destination.path, error)
    }
  }

  var baseline: URL { folder.appendingPathComponent("baseline.sqlite") }

  func makeBaseline() throws { try Self.copy(current, to: baseline) }

  func finish(keepingAt path: String?) throws {
    guard let last else { return }
    lastStoreMiB = last.mebibytes
    guard let path else { return }
    try Self.copy(last, to: URL(fileURLWithPath: path))
    let mask = umask(0)
    umask(mask)
    chmod(path, 0o666 & ~mask)
  }
}

package enum SyncTime {
  /// The median of nine fsyncs of a page each, in milliseconds. Nil if the folder is read-only.
  package static func median(in folder: URL) -> Double? {
    let path = folder.appendingPathComponent("sync-probe-\(getpid())").path
    let file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    guard file >= 0 else { return nil }
    defer {
      close(file)
      unlink(path)
    }
    let page = [UInt8](repeating: 1, count: 4096)
    let times = (0..<9).map { _ in
      let start = ContinuousClock.now
      _ = write(file, page, page.count)
      fsync(file)
      Storage.waitForSync()
      return (ContinuousClock.now - start) / .milliseconds(1)
    }
    return times.sorted()[4]
  }
}
