import Foundation

/// A command that runs, until it ends or is ended.
final class StartedCommand {
  enum End: Equatable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    var description: String {
      switch self {
      case .status(let status): "status \(status)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  private let process = Process()
  private let pipe = Pipe()
  private let changes: FolderChanges
  private let start = ContinuousClock.now
  private var text = Data()
  private var hasEnded = false
  private var seen = 0

  /// - Parameter place: Changes in its folders are counted.
  init(
    _ arguments: [String], program: String = Tested.program, in place: TrialPlace,
    input: URL? = nil, output: URL? = nil
  ) throws {
    changes = FolderChanges(in: [place.folder, place.temporary])
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = place.folder
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": place.temporary.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
    process.standardError = pipe
    process.standardOutput = pipe
    if let output {
      try Data().write(to: output)
      process.standardOutput = try FileHandle(forWritingTo: output)
    }
    try process.run()
    try? pipe.fileHandleForWriting.close()
  }

  var number: Int32 { process.processIdentifier }
  /// Standard error, and standard output unless that is a file.
  var said: String { String(decoding: text, as: UTF8.self) }
  private var lasted: Duration { ContinuousClock.now - start }
  /// Call it after the end.
  var size: CommandSize { CommandSize(time: lasted, changes: seen) }

  /// Waits for the moment, or for the end.
  func awaitMoment(_ ending: Ending, of whole: CommandSize) {
    switch ending.moment {
    case .changes(let share):
      let number = 1 + Int(Double(whole.changes) * share)
      while !hasEnded, seen < number, lasted < Self.longest { wait(milliseconds: 10) }
    case .time(let share):
      while !hasEnded, lasted < whole.time * share { wait(milliseconds: 1) }
    }
    Self.spin(for: .microseconds(ending.microseconds))
  }

  /// - Returns: whether a process got the signal.
  func deliver(_ ending: Ending) -> Bool {
    let targets = targets(of: ending.target)
    var isDelivered = false
    for (index, signal) in ending.signal.numbers.enumerated() {
      if index > 0 { Self.spin(for: ending.pause) }
      for target in targets where kill(target, signal) == 0 { isDelivered = true }
    }
    return isDelivered
  }

  private func targets(of target: Ending.Target) -> [Int32] {
    var cells: [Int32] = []
    if target.includesCells {
      repeat {
        cells = ProcessTable.children(of: number)
        wait(milliseconds: 0)
      } while target == .cell && cells.isEmpty && !hasEnded
    }
    guard !hasEnded else { return [] }
    return switch target {
    case .cell: cells
    // `Process` makes its child the leader of a group.
    case .group: [-number]
    case .runner, .everyone: cells + [number]
    }
  }

  /// - Returns: nil if the command hangs. It is killed then.
  func awaitEnd(within limit: Duration = longest) -> End? {
    let deadline = ContinuousClock.now + limit
    while !hasEnded, ContinuousClock.now < deadline { wait(milliseconds: 100) }
    let hangs = !hasEnded
    if hangs { kill(number, SIGKILL) }
    process.waitUntilExit()
    guard !hangs else { return nil }
    return process.terminationReason == .exit
      ? .status(process.terminationStatus) : .signal(process.terminationStatus)
  }

  static let longest = Duration.seconds(120)

  /// Waits for text, its end or a change of files, at most so long.
  private func wait(milliseconds: Int32) {
    let output = pipe.fileHandleForReading.fileDescriptor
    var ready = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: changes.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&ready, 2, milliseconds) > 0 else { return }
    if ready[1].revents != 0 { seen += changes.read() }
    guard ready[0].revents != 0 else { return }
    let new = pipe.fileHandleForReading.availableData
    hasEnded = new.isEmpty
    text += new
  }

  /// No sleep is that short.
  private static func spin(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
  }
}

/// How long a command takes, and how often it changes a file.
struct CommandSize {
  var time: Duration
  var changes: Int

  static func * (size: CommandSize, share: Double) -> CommandSize {
    CommandSize(time: size.time * share, changes: Int(Double(size.changes) * share))
  }
}

enum ProcessTable {
  private static var numbers: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
  }

  static func children(of parent: Int32) -> [Int32] {
    numbers.filter { number in
      guard let text = FileManager.default.contents(atPath: "/proc/\(number)/stat") else {
        return false
      }
      // The name before the last parenthesis may hold spaces.
      let fields = String(decoding: text, as: UTF8.self).split(separator: ")").last?
        .split(separator: " ")
      return fields.flatMap { $0.count > 1 ? Int32($0[1]) : nil } == parent
    }
  }

  static func processes(in folder: URL) -> [Int32] {
    numbers.filter { number in
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")
      return place == folder.path
    }
  }
}
