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
    case read, write, sync, truncate, open, delete, lock, mapShared, lockShared
  }

  let kind: Kind
  let path: String
  /// The content of a write, valid during the call.
  let bytes: UnsafeRawBufferPointer
  let offset: Int
  /// Of a deletion.
  let syncsFolder: Bool

  fileprivate init?(_ call: cfaultydisk_call) {
    guard let kind = Kind(rawValue: call.kind.rawValue), let path = call.path else { return nil }
    self.kind = kind
    self.path = String(cString: path)
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
    let folder = call.path.lastIndex(of: "/").map { String(call.path[..<$0]) }
    return disks.withLock { $0[folder ?? ""] }?.decide(call) ?? 0
  }

  /// Stores in the folder lie on this disk while `body` runs.
  static func use<R>(_ disk: any SimulatedDisk, for folder: URL, _ body: () throws -> R) throws -> R
  {
    guard installation == 0 else { throw Installation(code: installation) }
    let path = folder.path
    disks.withLock { $0[path] = disk }
    defer { _ = disks.withLock { $0.removeValue(forKey: path) } }
    return try body()
  }

  private struct Installation: Error {
    let code: CInt
  }
}
