import Foundation

/// The changes of the files in some folders and the folders made in these, as the kernel tells
/// them: created, renamed and removed files.
// The kernel keeps changes until they are read. It misses those in a new folder's first moment.
final class FolderChanges {
  let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
  private var folders: [Int32: String] = [:]
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(in folders: [URL]) {
    for folder in folders { watch(folder.path) }
  }

  deinit { close(descriptor) }

  private func watch(_ path: String) {
    let mask = IN_CREATE | IN_MOVED_TO | IN_DELETE
    let number = inotify_add_watch(descriptor, path, UInt32(mask))
    if number >= 0 { folders[number] = path }
  }

  /// - Returns: how many changes there were since the last call.
  func read() -> Int {
    var changes = 0
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return changes }
      var start = 0
      while start < count {
        start += note(at: start)
        changes += 1
      }
    }
  }

  /// - Returns: the size of the event.
  private func note(at start: Int) -> Int {
    let (folder, mask, length) = buffer.withUnsafeBytes { bytes in
      (
        bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
        bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
        Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
      )
    }
    let name = buffer[start + 16..<start + 16 + length].prefix { $0 != 0 }
    let isNewFolder = mask & UInt32(IN_ISDIR) != 0 && mask & UInt32(IN_DELETE) == 0
    if isNewFolder, let parent = folders[folder] {
      watch("\(parent)/\(String(decoding: name, as: UTF8.self))")
    }
    return 16 + length
  }
}
