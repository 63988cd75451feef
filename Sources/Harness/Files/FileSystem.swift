package import Foundation

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
}
