package import Foundation
import SystemPackage

/// File operations whose errors carry the system's reason, which Foundation's lack.
package enum FileSystem {
  package struct Failure: Error, CustomStringConvertible {
    package let code: Int32

    package var description: String {
      code == EWOULDBLOCK
        ? "another topobench is writing to it" : String(cString: strerror(code)).lowercased()
    }
  }

  /// `mode` counts before the process's mask.
  package static func makeFolder(at url: URL, mode: mode_t = 0o777) throws(Failure) {
    let url = url.standardizedFileURL
    guard !isFolder(url) else { return }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try makeFolder(at: parent) }
    guard mkdir(url.path, mode) != 0 else { return }
    // Later calls change it.
    let code = errno
    guard !isFolder(url) else { return }
    throw Failure(code: code == EEXIST ? ENOTDIR : code)
  }

  package static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  enum Existing {
    case refused, emptied, kept
  }

  /// Opens a file for appending and locks it against other calls.
  ///
  /// - Returns: the file, and whether this call created it.
  /// - Throws: `Failure`, also if another process holds the lock.
  static func openForAppending(
    _ url: URL, _ existing: Existing
  ) throws(Failure) -> (file: FileDescriptor, isNew: Bool) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    var descriptor = open(url.path, flags | O_EXCL, 0o666)
    let isNew = descriptor >= 0
    if !isNew, errno == EEXIST, existing != .refused { descriptor = open(url.path, flags, 0o666) }
    guard descriptor >= 0 else { throw Failure(code: errno) }
    do throws(Failure) {
      // A file system without locks is no error.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        throw Failure(code: EWOULDBLOCK)
      }
      // After the lock, so that no other process loses rows. A pipe cannot be cut (EINVAL).
      if existing == .emptied, ftruncate(descriptor, 0) != 0, errno != EINVAL {
        throw Failure(code: errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return (FileDescriptor(rawValue: descriptor), isNew)
  }

  /// An incomplete file's name ends with this and a process ID.
  static let draftSuffix = ".new-"

  /// Writes a whole file or none. `force` replaces an existing one.
  package static func write(_ content: Data, to url: URL, force: Bool) throws(Failure) {
    if force, isFolder(url) { throw Failure(code: EISDIR) }
    // To a temporary name first: a full disk must not destroy the existing file.
    let draft = force ? url.path + "\(draftSuffix)\(getpid())" : url.path
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    let file = FileDescriptor(rawValue: descriptor)
    do {
      _ = try file.closeAfter { try file.writeAll(content) }
      if force, rename(draft, url.path) != 0 { throw Errno(rawValue: errno) }
    } catch {
      unlink(draft)
      throw Failure(code: (error as? Errno)?.rawValue ?? EIO)
    }
  }

  /// Of killed processes.
  static func removeDrafts(in folder: URL, of name: String = "") {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for found in names where found.hasPrefix(name) {
      guard let suffix = found.range(of: draftSuffix, options: .backwards),
        let process = pid_t(found[suffix.upperBound...]),
        process == getpid() || kill(process, 0) != 0
      else { continue }
      unlink(folder.appendingPathComponent(found).path)
    }
  }

  /// A temporary file without a name, which goes with its descriptor. Reading begins at its start.
  static func nameless(holding content: Data) throws(FileError) -> FileDescriptor {
    let folder = FileManager.default.temporaryDirectory.path
    var template = Array("\(folder)/topobench-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw FileError("create a temporary file in", folder, Failure(code: errno))
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(template)
    let file = FileDescriptor(rawValue: descriptor)
    do {
      _ = try file.writeAll(content)
      try file.seek(offset: 0, from: .start)
    } catch {
      try? file.close()
      throw FileError("write a temporary file in", folder, error)
    }
    return file
  }
}

package struct FileError: Error, CustomStringConvertible {
  package let description: String

  package init(_ operation: String, _ path: String, _ error: any Error) {
    description = "cannot \(operation) '\(path)': \(Self.reason(error))"
  }

  init(_ description: String) { self.description = description }

  /// The error in one line. Foundation's errors are reduced to the path and the reason.
  package static func message(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    return "cannot use '\(error.filePath ?? error.url?.path ?? "a file")': \(reason(error))"
  }

  package static func reason(_ error: any Error) -> String {
    switch error {
    case let error as Errno: FileSystem.Failure(code: error.rawValue).description
    case let error as POSIXError: FileSystem.Failure(code: error.code.rawValue).description
    case let error as CocoaError: error.underlying.map(reason) ?? error.localizedDescription
    default: "\(error)"
    }
  }
}
