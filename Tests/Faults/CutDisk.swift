import Foundation
import Queues
import Support

// A disk that loses its power at one call. Until then it notes what was not synced yet:
//
//   write, truncate       pending, until the file is synced
//   create, delete        pending, until the folder is synced: with a new journal or WAL, or by a
//                         deletion that asks for it
//
// After the cut every call fails. `survivors` then draws the files that a restart finds.

final class CutDisk: SimulatedDisk {
  private let state: Lock<DiskState>

  /// - Parameter change: the number of the change at which the power fails; nil for never.
  init(cutAt change: Int? = nil) { state = Lock(DiskState(cutAt: change)) }

  /// The writes, syncs, truncations, creations and deletions so far.
  var changes: Int { state.withLock { $0.changes } }
  var isCut: Bool { state.withLock { $0.isCut } }

  func decide(_ call: DiskCall) -> CInt {
    state.withLock { $0.isCarriedOut(call) ? 0 : 10 }
  }

  /// The content of each file, by name.
  func survivors(_ survival: Survival, using generator: inout SplitMix64) -> [String: [UInt8]] {
    let state = state.withLock { $0 }
    var found: [String: [UInt8]] = [:]
    for path in Set(state.synced.keys).union(state.current.keys).sorted() {
      let isKept = survival == .all || survival != .none && generator.nextBool()
      guard let number = (isKept ? state.current : state.synced)[path] else { continue }
      found[String(path[path.lastIndex(of: "/")!...].dropFirst())] = state.files[number].survivor(
        survival, using: &generator)
    }
    return found
  }
}

private struct DiskState {
  let cutAt: Int?
  var changes = 0
  var isCut = false
  var files: [DiskFile] = []
  /// The folder by path, as written and as synced.
  var current: [String: Int] = [:]
  var synced: [String: Int] = [:]

  init(cutAt: Int?) { self.cutAt = cutAt }

  mutating func isCarriedOut(_ call: DiskCall) -> Bool {
    if call.kind == .allocate { return true }
    guard !isCut else { return false }
    if call.kind == .open, current[call.path] == nil { find(call.path) }
    guard isChange(call) else { return true }
    changes += 1
    isCut = changes == cutAt
    // A write that the cut interrupts may reach the disk, in parts. A sync does not end.
    if !isCut || call.kind == .write { carryOut(call) }
    return !isCut
  }

  private func isChange(_ call: DiskCall) -> Bool {
    switch call.kind {
    case .write, .sync, .truncate, .delete: true
    case .open: current[call.path] == nil
    default: false
    }
  }

  /// A file of the folder that nobody has opened yet.
  private mutating func find(_ path: String) {
    guard let content = FileManager.default.contents(atPath: path) else { return }
    current[path] = files.count
    synced[path] = files.count
    files.append(DiskFile(synced: [UInt8](content)))
  }

  private mutating func carryOut(_ call: DiskCall) {
    if call.kind == .open {
      current[call.path] = files.count
      files.append(DiskFile(syncsFolder: !call.path.hasSuffix(".sqlite")))
    } else if call.kind == .delete {
      current[call.path] = nil
      if call.syncsFolder { synced = current }
    } else if let number = current[call.path] {
      change(number, call)
    }
  }

  private mutating func change(_ number: Int, _ call: DiskCall) {
    switch call.kind {
    case .write: files[number].pending.append(.write(Array(call.bytes), at: call.offset))
    case .truncate: files[number].pending.append(.truncate(call.offset))
    default:
      files[number].sync()
      guard files[number].syncsFolder else { return }
      files[number].syncsFolder = false
      synced = current
    }
  }
}
