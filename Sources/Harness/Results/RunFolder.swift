package import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// Where a run puts its stores, in a folder that others use too. The run removes it; a run that is killed
// cannot, so the next one does. A lock tells which is whose, since the system gives it back however a
// process ends:
//
//   topobench-5E1C…/run.lock    held         its run is at work: hands off
//                               free         its run was killed: goes
//                               not there    nobody knows: hands off

/// The folders of runs.
package enum RunFolder {
  static let lockName = "run.lock"

  /// Makes one, which is held until this process ends, and removes those of runs that were killed.
  package static func make(in parent: URL) throws(FileSystem.Failure) -> URL {
    sweep(parent)
    let folder = parent.appendingPathComponent("topobench-\(UUID().uuidString)", isDirectory: true)
    try FileSystem.makeFolder(at: folder)
    hold(folder)
    return folder
  }

  /// Where a file system has no locks, the folder gets none, and nobody else ever removes it.
  private static func hold(_ folder: URL) {
    let lock = folder.appendingPathComponent(lockName).path
    // Held before it has its name: under that it is never seen free.
    let draft = lock + ".new"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Never closed: that is the system's to do.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(draft, lock) == 0 else {
      close(descriptor)
      unlink(draft)
      return
    }
  }

  /// Removes what runs of this user left here that were killed, and nothing else: what cannot be read or
  /// removed stays, too.
  static func sweep(_ parent: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where isOfRun(name) {
      removeIfLeft(parent.appendingPathComponent(name).path)
    }
  }

  private static func isOfRun(_ name: String) -> Bool {
    let prefix = "topobench-"
    return name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  private static func removeIfLeft(_ folder: String) {
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == getuid()
    else { return }
    let descriptor = open("\(folder)/\(lockName)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    try? FileManager.default.removeItem(atPath: folder)
  }
}
