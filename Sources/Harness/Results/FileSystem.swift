package import Foundation
import SystemPackage

/// File operations whose errors carry the system's reason, which Foundation's lack.
package enum FileSystem {
  package struct Failure: Error, CustomStringConvertible {
    package let code: Int32

    /// The system's message, such as `permission denied`.
    package var description: String {
      code == EWOULDBLOCK
        ? "another topobench is writing to it" : String(cString: strerror(code)).lowercased()
    }
  }

  /// Creates a folder and its parents as far as they are missing.
  package static func makeFolder(at url: URL) throws(Failure) {
    let url = url.standardizedFileURL
    guard !isFolder(url) else { return }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try makeFolder(at: parent) }
    guard mkdir(url.path, 0o777) == 0 || isFolder(url) else {
      throw Failure(code: errno == EEXIST ? ENOTDIR : errno)
    }
  }

  package static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// What to do with an existing file.
  enum Existing {
    case refused, emptied, kept
  }

  /// Opens a file for appending and locks it against other processes that call this function.
  ///
  /// - Throws: `Failure`, also if another process holds the lock.
  static func openForAppending(_ url: URL, _ existing: Existing) throws(Failure) -> FileHandle {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (existing == .refused ? O_EXCL : 0)
    let descriptor = open(url.path, flags, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // If the file system has no locks, write without one.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw Failure(code: EWOULDBLOCK)
    }
    // After the lock, so that no other process loses rows. A pipe has no length to cut (EINVAL).
    if existing == .emptied, ftruncate(descriptor, 0) != 0, errno != EINVAL {
      throw Failure(code: errno)
    }
    return handle
  }

  /// Writes a whole file or none.
  ///
  /// - Parameter force: whether to replace an existing file.
  package static func write(_ content: Data, to url: URL, force: Bool) throws(Failure) {
    if force, isFolder(url) { throw Failure(code: EISDIR) }
    // To a temporary name first, so that a full disk does not destroy the existing file.
    let draft = force ? url.appendingPathExtension("new-\(getpid())") : url
    let descriptor = open(draft.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let file = FileDescriptor(rawValue: descriptor)
    do {
      _ = try file.closeAfter { try file.writeAll(content) }
      if force, rename(draft.path, url.path) != 0 { throw Errno(rawValue: errno) }
    } catch {
      unlink(draft.path)
      throw Failure(code: (error as? Errno)?.rawValue ?? EIO)
    }
  }

  /// A temporary file without a name, which goes with its descriptor. Reading begins at its start.
  static func nameless(holding content: Data) throws(Failure) -> FileDescriptor {
    var template = Array(
      "\(FileManager.default.temporaryDirectory.path)/topobench-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    let file = FileDescriptor(rawValue: descriptor)
    do {
      _ = try file.writeAll(content)
      try file.seek(offset: 0, from: .start)
    } catch {
      try? file.close()
      throw Failure(code: (error as? Errno)?.rawValue ?? EIO)
    }
    return file
  }
}
