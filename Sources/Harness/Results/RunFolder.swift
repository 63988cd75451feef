package import Foundation
package import SystemPackage

// The folder of a run's stores, in a parent of many runs. A killed run cannot remove its folder, so
// the next run does. The system releases a run's lock however the run ends:
//
//   topobench-5E1C…/run.lock    held         its run is alive: kept
//                               free         its run was killed: removed
//                               missing      unknown: kept
//   topobench-5E1C….new         a minute old a kill came before the lock, or during the removal:
//                                            removed

package enum RunFolder {
  static let lockName = "run.lock"

  /// The folder stays locked until this process ends.
  package static func make(in parent: URL) throws(Errno) -> URL {
    sweep(parent)
    let folder = parent.appendingPathComponent("topobench-\(UUID().uuidString)", isDirectory: true)
    // Locked before it gets its name: otherwise a kill in between would leave it for ever.
    let draft = parent.appendingPathComponent(folder.lastPathComponent + draftSuffix)
    try FileSystem.makeFolder(at: draft, mode: 0o700)
    hold(draft)
    guard rename(draft.path, folder.path) == 0 else {
      let error = Errno(rawValue: errno)
      try? FileManager.default.removeItem(at: draft)
      throw error
    }
    return folder
  }

  package static func remove(_ folder: URL) {
    // Renamed first: a kill between the removals of lock file and folder would otherwise leave the
    // folder for ever.
    let draft = folder.path + draftSuffix
    let path = rename(folder.path, draft) == 0 ? draft : folder.path
    // One failure ends a removal. Twice, because it may be a passing one.
    for _ in 0..<2 { try? FileManager.default.removeItem(atPath: path) }
  }

  static let draftSuffix = ".new"
  /// In seconds. A draft gets its name at once, so an older one was left by a kill.
  private static let oldestDraft = 60

  /// Without locks in the file system, the folder gets no lock file and no other run removes it.
  private static func hold(_ folder: URL) {
    let lock = folder.appendingPathComponent(lockName).path
    // Locked before it gets its name, so that no process sees it free.
    let draft = lock + ".new"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Never closed: the process's end releases the lock.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(draft, lock) == 0 else {
      close(descriptor)
      unlink(draft)
      return
    }
  }

  /// Removes what killed runs left, where it can.
  static func sweep(_ parent: URL) {
    for name in FileSystem.names(in: parent.path) {
      let path = parent.appendingPathComponent(name).path
      if isOfRun(name) { removeIfLeft(path) }
      if name.hasSuffix(draftSuffix), isOfRun(String(name.dropLast(draftSuffix.count))) {
        removeIfOld(path)
      }
    }
  }

  private static func isOfRun(_ name: String) -> Bool {
    let prefix = "topobench-"
    return name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
  }

  /// Nil if the path leads to anything but a folder of this user.
  private static func status(ofOwn folder: String) -> stat? {
    var status = stat()
    let isOwn =
      lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == getuid()
    return isOwn ? status : nil
  }

  private static func removeIfOld(_ draft: String) {
    guard let status = status(ofOwn: draft), time(nil) - status.st_mtim.tv_sec > oldestDraft
    else { return }
    try? FileManager.default.removeItem(atPath: draft)
  }

  private static func removeIfLeft(_ folder: String) {
    guard status(ofOwn: folder) != nil else { return }
    let descriptor = open("\(folder)/\(lockName)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    remove(URL(fileURLWithPath: folder, isDirectory: true))
  }
}
