package import Foundation
import SQLiteStore

#if canImport(Glibc)
  import Glibc
#endif

/// The stores of one cell: a template with the initial rows, and fresh copies of it.
final class CellFiles {
  private let folder: URL
  private let template: URL
  /// The store of the last repeat.
  private(set) var last: URL?
  private var count = 0
  /// The median time of one fsync in this folder.
  let syncMilliseconds: Double?
  /// The size of the last repeat's store, once it is closed.
  private(set) var lastStoreMiB: Double?

  /// Makes the template.
  init(_ folder: URL, cell: PreparedCell) throws {
    self.folder = folder
    template = folder.appendingPathComponent("template.sqlite")
    try StoreFile.createTemplate(
      at: template, model: cell.model.model, rows: cell.initialRows)
    syncMilliseconds = SyncTime.median(in: folder)
  }

  /// A copy of the template that nobody has used; the one before is removed.
  func freshStore() throws -> URL {
    if let last { try StoreFile.remove(at: last) }
    count += 1
    let store = folder.appendingPathComponent("store-\(count).sqlite")
    try StoreFile.copy(template, to: store)
    last = store
    return store
  }

  /// Where the baseline has its store.
  var baseline: URL { folder.appendingPathComponent("baseline.sqlite") }

  func makeBaseline() throws {
    try StoreFile.copy(template, to: baseline)
  }

  /// Leaves the last repeat's store at `path`, if there is one to leave it at.
  func finish(keepingAt path: String?) throws {
    guard let last else { return }
    lastStoreMiB = ProcessUse.size(of: last)
    if let path { try StoreFile.copy(last, to: URL(fileURLWithPath: path)) }
  }
}

/// How long the disk takes to promise something.
package enum SyncTime {
  /// The median of nine fsyncs of a page each, in milliseconds; nil if the folder cannot be written.
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
