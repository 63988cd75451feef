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
  private var text = Data()
  private var hasEnded = false

  /// - Parameter tracing: options of `harness-soak trace`, under which it then runs.
  init(
    _ arguments: [String], program: String = Tested.program, tracing: [String]? = nil,
    in place: TrialPlace, input: URL? = nil, output: URL? = nil
  ) throws {
    process.executableURL = URL(filePath: tracing == nil ? program : "/proc/self/exe")
      .resolvingSymlinksInPath()
    process.arguments =
      tracing.map { ["trace", "--log", "trace.log"] + $0 + ["--", program] + arguments }
      ?? arguments
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

  /// Standard error, and standard output unless that is a file.
  var said: String { String(decoding: text, as: UTF8.self) }

  /// - Returns: nil if the command hangs. It is killed then.
  func awaitEnd(within limit: Duration = longest) -> End? {
    let deadline = ContinuousClock.now + limit
    while !hasEnded, ContinuousClock.now < deadline { wait(milliseconds: 100) }
    let hangs = !hasEnded
    if hangs { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    guard !hangs else { return nil }
    return process.terminationReason == .exit
      ? .status(process.terminationStatus) : .signal(process.terminationStatus)
  }

  static let longest = Duration.seconds(120)

  /// Waits for text or its end, at most so long.
  private func wait(milliseconds: Int32) {
    let output = pipe.fileHandleForReading
    var ready = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return }
    let new = output.availableData
    hasEnded = new.isEmpty
    text += new
  }
}

enum ProcessTable {
  private static var numbers: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
  }

  static func processes(in folder: URL) -> [Int32] {
    numbers.filter { number in
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")
      return place == folder.path
    }
  }
}
