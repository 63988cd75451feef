import CLinux
package import Foundation
package import SystemPackage

/// File operations whose errors carry the system's reason, which Foundation's lack.
package enum FileSystem {
  /// The process's mask applies to `mode`.
  package static func makeFolder(at url: URL, mode: mode_t = 0o777) throws(Errno) {
    let url = url.standardizedFileURL
    guard !isFolder(url) else { return }
    let parent = url.deletingLastPathComponent()
    if parent.path != url.path { try makeFolder(at: parent) }
    guard mkdir(url.path, mode) != 0 else { return }
    // Later calls change `errno`.
    let error = Errno(rawValue: errno)
    guard !isFolder(url) else { return }
    throw error == .fileExists ? .notDirectory : error
  }

  package static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Empty if the folder cannot be read.
  static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Whether the path leads to a device, a pipe or a socket: it has no content that could be lost.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  enum Existing {
    case refused, emptied, kept
  }

  /// Opens a file for appending and locks it against other calls.
  ///
  /// - Returns: the file, and whether this call created it.
  /// - Throws: `Errno`; `wouldBlock` if another process holds the lock.
  static func openForAppending(
    _ url: URL, _ existing: Existing
  ) throws(Errno) -> (file: FileDescriptor, isNew: Bool) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    var descriptor = open(url.path, flags | O_EXCL, 0o666)
    let isNew = descriptor >= 0
    if !isNew, errno == EEXIST, existing != .refused { descriptor = open(url.path, flags, 0o666) }
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    do throws(Errno) {
      try lock(descriptor)
      // Empties the file after the lock, so that no other process loses rows. A pipe fails with
      // EINVAL.
      if existing == .emptied, ftruncate(descriptor, 0) != 0, errno != EINVAL {
        throw Errno(rawValue: errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return (FileDescriptor(rawValue: descriptor), isNew)
  }

  private static let draftSuffix = ".topobench-draft"

  /// Writes a whole file or none, and makes its folder. `force` replaces an existing file.
  ///
  /// The content is written to a draft first, because neither a full disk nor a kill may leave a
  /// part of it as the file. The draft of a killed process stays; the next write to the file uses
  /// it. A stream is written directly, because a draft would take its place. With `syncs`, the
  /// content is on the disk before the file has its name.
  package static func write(
    _ content: Data, to url: URL, force: Bool, syncs: Bool = false
  ) throws(FileError) {
    do {
      if isStream(url.path) {
        let stream = try FileDescriptor.open(url.path, .writeOnly, options: .closeOnExec)
        return try stream.closeAfter { _ = try stream.writeAll(content) }
      }
      try makeFolder(at: url.deletingLastPathComponent())
      if isFolder(url) { throw force ? Errno.isDirectory : .fileExists }
      let draft = url.path + draftSuffix
      let file = try openDraft(draft)
      do {
        try file.closeAfter {
          try file.resize(to: 0)
          try file.writeAll(content)
          // A network's disk may report only here that it is full. The draft stays locked.
          try file.duplicate().close()
          if syncs { try sync(file) }
          try move(draft, to: url.path, force: force)
        }
      } catch {
        unlink(draft)
        throw error
      }
    } catch {
      throw FileError("write", url.path, error)
    }
  }

  private static func move(_ draft: String, to path: String, force: Bool) throws(Errno) {
    if !force {
      if clinux_rename_to_unused(draft, path) == 0 { return }
      // Some network file systems cannot check and rename in one step. The draft's lock keeps other
      // topobenches from making the file in between.
      var status = stat()
      if lstat(path, &status) == 0 { throw .fileExists }
    }
    if rename(draft, path) != 0 { throw Errno(rawValue: errno) }
  }

  /// - Throws: `Errno.wouldBlock` if another process is writing it.
  private static func openDraft(_ path: String) throws -> FileDescriptor {
    while true {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .closeOnExec, .noFollow],
        permissions: FilePermissions(rawValue: 0o666))
      do {
        try lock(file.rawValue)
        var (opened, named) = (stat(), stat())
        // The process that had the lock may have given the file its name.
        if fstat(file.rawValue, &opened) == 0, lstat(path, &named) == 0,
          opened.st_ino == named.st_ino
        {
          return file
        }
        try file.close()
      } catch {
        try? file.close()
        throw error
      }
    }
  }

  /// Locks an open file against other processes. A file system without locks is no error.
  private static func lock(_ descriptor: Int32) throws(Errno) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .wouldBlock
    }
  }

  /// Waits until a file's content is on the disk. Streams and some file systems cannot sync, which
  /// is no error.
  static func sync(_ file: FileDescriptor) throws(Errno) {
    while fsync(file.rawValue) != 0 {
      if errno == EINTR { continue }
      guard ![EINVAL, EROFS, ENOTSUP].contains(errno) else { return }
      throw Errno(rawValue: errno)
    }
  }

  /// Waits until the names of a folder's files are on the disk. A folder that may be written but
  /// not read cannot be synced, which is no error.
  static func syncNames(in folder: URL) throws(FileError) {
    do {
      let file = try FileDescriptor.open(folder.path, .readOnly, options: .closeOnExec)
      try file.closeAfter { try sync(file) }
    } catch Errno.permissionDenied {
      return
    } catch {
      throw FileError("write to", folder.path, error)
    }
  }

  static func removeDraft(of file: URL) { unlink(file.path + draftSuffix) }

  static func removeDrafts(in folder: URL) {
    for name in names(in: folder.path) where name.hasSuffix(draftSuffix) {
      unlink(folder.appendingPathComponent(name).path)
    }
  }

  /// A file without a name, which goes with its handle: in memory, where the system has such files.
  /// Reading begins at its start.
  static func nameless(holding content: Data = Data()) throws(FileError) -> FileHandle {
    let folder = FileManager.default.temporaryDirectory.path
    var descriptor = clinux_memory_file()
    if descriptor < 0 {
      var template = Array("\(folder)/topobench-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else {
        throw FileError("create a temporary file in", folder, Errno(rawValue: errno))
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unlink(template)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try file.write(contentsOf: content)
      try file.seek(toOffset: 0)
      return file
    } catch {
      throw FileError("write a temporary file in", folder, error)
    }
  }
}

package struct FileError: Error, CustomStringConvertible {
  package let description: String

  package init(_ operation: String, _ path: String, _ error: any Error) {
    description = "cannot \(operation) '\(path)': \(Self.reason(error))"
  }

  /// The error in one line. Foundation's errors are reduced to the path and the reason.
  package static func message(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return reason(error) }
    return "cannot use '\(error.filePath ?? error.url?.path ?? "a file")': \(reason(error))"
  }

  package static func reason(_ error: any Error) -> String {
    switch error {
    case Errno.wouldBlock: "another topobench is writing to it"
    case Errno.tooManyOpenFiles: "too many open files; allow more with `ulimit -n`"
    case let error as Errno: String(cString: strerror(error.rawValue)).lowercased()
    case let error as POSIXError: reason(Errno(rawValue: error.code.rawValue))
    case let error as CocoaError:
      if let underlying = error.underlying {
        reason(underlying)
      } else if (1..<255).contains(error.code.rawValue), error.code != .fileNoSuchFile {
        // A FileHandle gives the system's number as the code. Cocoa's own numbers begin at 255,
        // except the missing file's 4.
        reason(Errno(rawValue: Int32(error.code.rawValue)))
      } else {
        error.localizedDescription
      }
    default: "\(error)"
    }
  }
}

extension JSONEncoder {
  /// Members are in the order of their names.
  package static func sorted(_ formatting: OutputFormatting = []) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    return encoder
  }
}
