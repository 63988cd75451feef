import CFaultyDisk
import Foundation
import Queues

// SQLite's calls reach the disk that stands for the file's folder:
//
//   SQLite ──▶ CFaultyDisk ──▶ SimulatedDisks ──▶ FailingDisk or CutDisk: 0, or an error's code
//
// Files elsewhere, such as those that check the results, are left alone.

protocol SimulatedDisk: AnyObject, Sendable {
  /// Returns SQLite's code of success, or the error of the call.
  func decide(_ call: DiskCall) -> CInt
}

struct DiskCall {
  enum Kind: UInt32, CaseIterable, Sendable {
    case read, write, sync, truncate, open, delete, lock, mapShared, lockShared, allocate
  }

  let kind: Kind
  let path: String
  /// The content of a write, valid during the call.
  let bytes: UnsafeRawBufferPointer
  let offset: Int
  /// Of a deletion.
  let syncsFolder: Bool

  fileprivate init?(_ call: cfaultydisk_call) {
    guard let kind = Kind(rawValue: call.kind.rawValue) else { return nil }
    self.kind = kind
    path = call.path.map { String(cString: $0) } ?? ""
    bytes = UnsafeRawBufferPointer(
      start: call.bytes, count: call.bytes == nil ? 0 : Int(call.count))
    offset = Int(call.offset)
    syncsFolder = kind == .delete && call.count != 0
  }
}

enum SimulatedDisks {
  private static let disks = Lock<[String: any SimulatedDisk]>([:])
  private static let installation = cfaultydisk_install { call in
    guard let call = call.flatMap({ DiskCall($0.pointee) }) else { return 0 }
    let disks = disks.withLock { $0 }
    // Memory belongs to the only disk.
    guard let end = call.path.lastIndex(of: "/") else {
      return disks.values.first?.decide(call) ?? 0
    }
    return disks[String(call.path[..<end])]?.decide(call) ?? 0
  }

  /// Call it before SQLite is used, so that its allocations can fail.
  static func install() throws {
    guard installation == 0 else { throw Installation(code: installation) }
  }

  /// Stores in the folder lie on this disk while `body` runs.
  static func use<R>(_ disk: any SimulatedDisk, for folder: URL, _ body: () throws -> R) throws -> R
  {
    try install()
    let path = folder.path
    disks.withLock { $0[path] = disk }
    defer { _ = disks.withLock { $0.removeValue(forKey: path) } }
    return try body()
  }

  private struct Installation: Error {
    let code: CInt
  }
}
