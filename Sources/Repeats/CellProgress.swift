package import Foundation
import Synchronization

/// How far a cell has come, in a file that tells the runner if it has to kill the cell.
// @unchecked: `counters` is immutable, and what it points to is atomic.
package final class CellProgress: @unchecked Sendable {
  private struct Counters: ~Copyable {
    let repeats = Atomic(0)
    let saves = Atomic(0)
    let planned = Atomic(0)
  }

  /// Mapped until the process ends. Nil if there is no memory or space for it.
  private let counters: UnsafeMutablePointer<Counters>?

  package init(in folder: URL) {
    counters = Self.mapped(Self.file(in: folder))?.bindMemory(to: Counters.self, capacity: 1)
    counters?.initialize(to: Counters())
  }

  func beginRepeat(saves: Int) {
    counters?.pointee.planned.store(saves, ordering: .relaxed)
    counters?.pointee.saves.store(0, ordering: .relaxed)
    counters?.pointee.repeats.add(1, ordering: .relaxed)
  }

  func endSave() { counters?.pointee.saves.add(1, ordering: .relaxed) }

  /// `12 of 40 saves of repeat 3 were done`. Nil if the cell made no such file.
  package static func text(in folder: URL) -> String? {
    guard let data = try? Data(contentsOf: file(in: folder)), data.count == size else { return nil }
    let counts = data.withUnsafeBytes { Array($0.bindMemory(to: Int.self)) }
    return counts[0] == 0
      ? "no save had begun" : "\(counts[1]) of \(counts[2]) saves of repeat \(counts[0]) were done"
  }

  private static let size = MemoryLayout<Counters>.size

  private static func file(in folder: URL) -> URL { folder.appendingPathComponent("progress") }

  private static func mapped(_ file: URL) -> UnsafeMutableRawPointer? {
    let descriptor = open(file.path, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    // Writes the bytes, because a mapped hole ends the process if the disk is full.
    guard descriptor >= 0, write(descriptor, [UInt8](repeating: 0, count: size), size) == size
    else { return nil }
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    return memory == MAP_FAILED ? nil : memory
  }
}
