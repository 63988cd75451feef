import CLinux
import Dispatch
package import Foundation
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
  /// The runner killed it at the time limit.
  ///
  /// - Parameter threads: what its threads did then; may be empty.
  case timedOut(threads: String)
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
  /// The most bytes on each of standard output and standard error. A child that writes more is
  /// killed and counts as crashed.
  var outputLimit = 256 << 20
  /// Variables to add to those of this process.
  var environment: [String: String] = [:]

  /// Returns when the child has ended and every process of its group is killed.
  ///
  /// - Throws: `FileError` if it cannot be started.
  package func run(input: Data) async throws -> ChildOutcome {
    let streams = try ChildStreams(input: input)
    let watch = ChildWatch(timeLimit: timeLimit, interrupts: interrupts) {
      streams.longest > outputLimit
    }
    let (status, cause) = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "child process").async {
        continuation.resume(with: Result { try supervise(streams, watch) })
      }
    }
    if Self.interruptions.contains(Self.endingSignal(in: status)) {
      // The runner probably got the signal too, but may hear of it a moment later.
      try await Task.sleep(for: .milliseconds(200))
      if interrupts.isInterrupted { return .interrupted }
    }
    if let cause { return cause }
    guard streams.longest <= outputLimit else { return ChildWatch.tooLong }
    return try outcome(status, streams)
  }

  /// Spawns the child and waits for it, on one thread: the kernel kills the child when the thread
  /// that spawned it ends.
  private func supervise(
    _ streams: ChildStreams, _ watch: ChildWatch
  ) throws -> (status: Int32, cause: ChildOutcome?) {
    defer { _ = watch.stop() }
    let child: pid_t
    do {
      child = try spawn(streams)
    } catch {
      if let cause = watch.stop() { return (0, cause) }
      throw FileError("start", executable, error)
    }
    watch.started(group: child)
    var information = siginfo_t()
    while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    // Before the child is reaped: until then no other group can have its number.
    let cause = watch.stop()
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (status, cause)
  }

  private func spawn(_ streams: ChildStreams) throws(Errno) -> pid_t {
    let variables = variables.map { "\($0)=\($1)" }
    let texts = [[executable] + arguments, variables].map { $0.map { strdup($0) } + [nil] }
    defer { texts.joined().forEach { free($0) } }
    var child: pid_t = 0
    let error = clinux_spawn(&child, executable, texts[0], texts[1], streams.descriptors)
    guard error == 0 else { throw Errno(rawValue: error) }
    return child
  }

  /// Signals that end a run and not a cell.
  private static let interruptions: Set<Int32> = [SIGINT, SIGTERM, SIGHUP]

  private var variables: [String: String] {
    let inherited = ProcessInfo.processInfo.environment
    // A crash of the child is a result and needs no backtrace.
    return ["SWIFT_BACKTRACE": "enable=no"].merging(inherited) { $1 }
      .merging([Self.parentVariable: "\(getpid())"]) { $1 }.merging(environment) { $1 }
  }

  /// 0 if the process exited.
  private static func endingSignal(in status: Int32) -> Int32 { status & 0x7F }

  private func outcome(_ status: Int32, _ streams: ChildStreams) throws -> ChildOutcome {
    let signal = Self.endingSignal(in: status)
    guard status != 0 else { return .finished(output: try streams.text(of: streams.output)) }
    let errors = try streams.text(of: streams.errors, last: 16 << 10)
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    // A Swift runtime error is a better hint than the last line.
    let telling = lines.last { $0.contains("Fatal error") } ?? lines.last
    let last = telling.map { ": \($0)" } ?? ""
    return .crashed(
      signal == 0
        ? "exited with status \(status >> 8)\(last)"
        : "killed by \(Self.name(ofSignal: signal))\(last)")
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
    guard getppid() == parent else {
      StandardStreams.say(
        "Error: \(parentVariable) names process \(parent), which did not start this one; type: unset"
          + " \(parentVariable)\n")
      exit(1)
    }
  }
}

/// The standard streams of a child, as files without names. Unlike pipes they need no reader, and
/// the descendants of an ended child cannot keep them open.
private struct ChildStreams: Sendable {
  let input: FileHandle
  let output: FileHandle
  let errors: FileHandle

  init(input content: Data) throws {
    input = try FileSystem.nameless(holding: content)
    output = try FileSystem.nameless()
    errors = try FileSystem.nameless()
  }

  var descriptors: [Int32] { [input, output, errors].map(\.fileDescriptor) }

  /// The size of the longer of the two outputs, in bytes.
  var longest: Int {
    [output, errors].map { file in
      var status = stat()
      return fstat(file.fileDescriptor, &status) == 0 ? Int(status.st_size) : 0
    }.max() ?? 0
  }

  func text(of file: FileHandle, last most: UInt64 = .max) throws -> Data {
    let size = try file.seekToEnd()
    try file.seek(toOffset: size - min(size, most))
    return try file.readToEnd() ?? Data()
  }
}
