import CLinux
package import Foundation
import Subprocess
import Support
import SystemPackage

// A cell's process, and how it ends in every case:
//
//   runner ── spawns ──▶ child, leader of a process group of its own
//     │ specification on standard input, document on standard output
//     │ time limit or interrupt: the runner kills the whole group
//     │ SIGINT, SIGTERM or SIGHUP to the child: ignored; the runner decides
//     └ runner dies: the kernel kills the child, as the child asked it to at its start
//
// If the runner dies before the child has asked, the child sees another parent and exits.

package enum ChildOutcome: Sendable, Equatable {
  case finished(output: Data)
  /// The process failed by itself; one line says how.
  case crashed(String)
  case timedOut
  /// The runner killed it after an interrupt.
  case interrupted
}

/// A process with an input and an output. At its end, no process of its group remains.
package struct ChildProcess: Sendable {
  package static let parentVariable = "TOPOBENCH_PARENT"

  let executable: String
  let arguments: [String]
  /// The time after which the child's process group is killed.
  let timeLimit: Duration
  let interrupts: Interrupts
  /// The most bytes on standard output; a child that writes more counts as crashed. Of standard
  /// error the end is kept.
  var outputLimit = 256 << 20
  /// Variables to add to those of this process.
  var environment: [String: String] = [:]

  /// Returns when the child has ended and no process of its group is left.
  ///
  /// - Throws: `SubprocessError` if it cannot be started.
  package func run(input: Data) async throws -> ChildOutcome {
    let watch = ChildWatch(timeLimit: timeLimit, interrupts: interrupts)
    defer { _ = watch.stop() }
    do {
      return try await run(input: input, watch)
    } catch let error as SubprocessError {
      if let cause = watch.stop() { return cause }
      guard Self.blamesChild.contains(error.code) else { throw error }
      return .crashed("\(error)".oneLine)
    }
  }

  private func run(input: Data, _ watch: ChildWatch) async throws -> ChildOutcome {
    var options = PlatformOptions()
    options.processGroupID = 0
    // Not a pipe: a child that ends before it reads its input then causes no error.
    let specification = try FileSystem.nameless(holding: input)
    let result = try await Subprocess.run(
      .path(FilePath(executable)), arguments: Arguments(arguments),
      environment: .inherit.updating(variables), platformOptions: options,
      input: .fileDescriptor(specification, closeAfterSpawningProcess: true),
      output: .data(limit: outputLimit), error: .sequence
    ) { execution in
      watch.started(group: execution.processIdentifier.value)
      var errors = TextTail(limit: 16 << 10)
      for try await chunk in execution.standardError {
        chunk.withUnsafeBytes { errors.append($0) }
      }
      return errors.text
    }
    if case .signaled(let signal) = result.terminationStatus, Self.interruptions.contains(signal) {
      // The runner probably got the signal too, but may hear of it a moment later.
      try await Task.sleep(for: .milliseconds(200))
    }
    return watch.stop()
      ?? Self.outcome(
        result.terminationStatus, output: result.standardOutput, errors: result.closureResult)
  }

  /// Signals that end a run and not a cell.
  private static let interruptions: Set<Int32> = [SIGINT, SIGTERM, SIGHUP]

  private static let blamesChild: Set<SubprocessError.Code> = [
    .outputLimitExceeded, .failedToReadFromSubprocess,
  ]

  private var variables: [Subprocess.Environment.Key: String?] {
    var values: [Subprocess.Environment.Key: String?] = ["TOPOBENCH_PARENT": "\(getpid())"]
    // A crash of the child is a result and needs no backtrace.
    if ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil {
      values["SWIFT_BACKTRACE"] = "enable=no"
    }
    for (name, value) in environment { values[.init(stringLiteral: name)] = value }
    return values
  }

  private static func outcome(
    _ status: TerminationStatus, output: Data, errors: String
  ) -> ChildOutcome {
    let lines = errors.split(whereSeparator: \.isNewline)
    // A Swift runtime error is a better hint than the last line.
    let telling = lines.last { $0.contains("Fatal error") } ?? lines.last
    let last = telling.map { ": \($0)" } ?? ""
    return switch status {
    case .exited(0): .finished(output: output)
    case .exited(let code): .crashed("exited with status \(code)\(last)")
    case .signaled(let signal): .crashed("killed by \(Self.name(ofSignal: signal))\(last)")
    }
  }

  private static func name(ofSignal signal: Int32) -> String {
    let names = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS",
      SIGSEGV: "SIGSEGV", SIGKILL: "SIGKILL", SIGTERM: "SIGTERM",
    ]
    return names[signal] ?? "signal \(signal)"
  }

  /// Makes the kernel kill this process when its parent, a runner, dies, and ignores interrupts.
  /// Call it first. Does nothing in a process that no runner started.
  ///
  /// The environment holds the runner's process ID. If the runner died before this call, this
  /// process has another parent and exits.
  package static func dieWithParent() {
    guard let text = ProcessInfo.processInfo.environment[parentVariable], let parent = Int32(text)
    else { return }
    // Processes that this one starts are not children of the runner.
    unsetenv(parentVariable)
    for number in interruptions { signal(number, SIG_IGN) }
    _ = clinux_die_with_parent(SIGKILL)
    if getppid() != parent { exit(1) }
  }
}

/// Keeps the end of a text that arrives in pieces, in bounded memory.
struct TextTail {
  private let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  mutating func append(_ piece: some Collection<UInt8>) {
    bytes.append(contentsOf: piece.suffix(limit))
    // Rarely, so that small pieces do not move the text each time.
    if bytes.count > 4 * limit { bytes.removeFirst(bytes.count - limit) }
  }

  /// A character cut in two becomes a replacement character.
  var text: String { String(decoding: bytes.suffix(limit), as: UTF8.self) }
}
