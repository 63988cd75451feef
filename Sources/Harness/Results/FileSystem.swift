package import Foundation
import SystemPackage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What Foundation does too, but without telling the system's reason when it fails.
package enum FileSystem {
  package struct Failure: Error, CustomStringConvertible {
    package let code: Int32

    /// The system's words, such as `permission denied`.
    package var description: String {
      code == EWOULDBLOCK
        ? "another topobench is writing to it" : String(cString: strerror(code)).lowercased()
    }
  }

  /// Makes a folder, and those above it, where there is none.
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

  /// What becomes of a file that is there.
  enum Existing {
    case refused, emptied, kept
  }

  /// A file to append to, held against every other process that appends to it by this function.
  ///
  /// - Throws: `Failure` also if another process has it.
  static func openForAppending(_ url: URL, _ existing: Existing) throws(Failure) -> FileHandle {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (existing == .refused ? O_EXCL : 0)
    let descriptor = open(url.path, flags, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // A file system without locks is no reason not to write.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw Failure(code: EWOULDBLOCK)
    }
    // After the lock, so that nobody's rows are lost; what is no file has no length.
    if existing == .emptied, ftruncate(descriptor, 0) != 0, errno != EINVAL {
      throw Failure(code: errno)
    }
    return handle
  }

  /// Writes a file whole, or leaves none.
  ///
  /// - Parameter force: whether a file that is there is written over.
  package static func write(_ content: Data, to url: URL, force: Bool) throws(Failure) {
    if force, isFolder(url) { throw Failure(code: EISDIR) }
    // Beside its place first, so that a full disk costs nobody the file that was there.
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

  /// A file that is in no folder and goes with its descriptor, to be read from its start.
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
