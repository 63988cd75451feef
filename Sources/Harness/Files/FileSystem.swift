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
    package var description: String { String(cString: strerror(code)).lowercased() }
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

  /// A file to append to, emptied if it was there.
  ///
  /// - Parameter mustBeNew: whether a file that is there is an error.
  static func openForAppending(_ url: URL, mustBeNew: Bool) throws(Failure) -> FileHandle {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (mustBeNew ? O_EXCL : O_TRUNC)
    let descriptor = open(url.path, flags, 0o666)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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
