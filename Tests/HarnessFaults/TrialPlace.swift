import Foundation
import Measurement
import SoakSupport

/// The folders of a command under test, and what it left in them.
struct TrialPlace {
  let folder: URL
  var temporary: URL { folder.appending(path: "tmp", directoryHint: .isDirectory) }

  /// - Parameter base: removed by its owner.
  init(in base: TrialFolder, named name: String) throws {
    folder = base.url.appending(path: name, directoryHint: .isDirectory).resolvingSymlinksInPath()
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  func bytes(_ name: String) -> [UInt8] {
    FileManager.default.contents(atPath: file(name).path).map(Array.init) ?? []
  }

  /// What `harness-soak trace` wrote.
  var log: String { String(decoding: bytes("trace.log"), as: UTF8.self) }

  /// The calls of an undisturbed command. The place is removed.
  func counts(_ command: StartedCommand) throws -> CallCounts {
    // The command stops at each traced call. Beside other work, a duet can take minutes.
    let end = command.awaitEnd(within: .seconds(600))
    guard end == .status(0) || end == .status(4) else { throw Unsound("traced: \(command.said)") }
    defer { try? remove() }
    return CallCounts(log)
  }

  /// - Throws: if a whole row cannot be read.
  func rows(_ name: String) throws -> [CellResult] {
    let bytes = bytes(name)
    let whole = CellCSV.endOfLastRow(in: bytes)
    return whole == 0 ? [] : try CellCSV.decode(Array(bytes.prefix(whole)))
  }

  private func names(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func documents(of report: String) -> [String] { names(file("\(report).cells")) }

  /// - Returns: what still runs after ten seconds.
  private func processesLeft() -> [Int32] {
    let deadline = ContinuousClock.now + .seconds(10)
    var left = ProcessTable.processes(in: folder)
    while !left.isEmpty, ContinuousClock.now < deadline {
      poll(nil, 0, 1)
      left = ProcessTable.processes(in: folder)
    }
    return left
  }

  /// Kills what still runs after ten seconds.
  func endProcessesLeft() -> [Int32] {
    let left = processesLeft()
    for number in left { kill(number, SIGKILL) }
    return left
  }

  /// Makes drafts of folders older than the minute for which they may stay.
  // Instead of waiting: a run compares their dates with the system's clock, and an option for
  // another clock would be one that only tests use.
  func ageDrafts() {
    for name in names(temporary) where name.hasSuffix(".new") {
      let times = [timespec(tv_sec: time(nil) - 120, tv_nsec: 0)]
      utimensat(AT_FDCWD, temporary.appending(path: name).path, times + times, 0)
    }
  }

  /// Drafts, and everything in the temporary folder.
  func leftovers() -> [String] {
    let all =
      FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasPrefix("tmp/") || $0.hasSuffix(".topobench-draft") }.sorted()
  }
}
