import CLinux
package import Foundation
import Subprocess
import Queues
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

// A cell's process, and how it ends in every case:
//
//   runner ── spawns ──▶ child, leader of a process group of its own
//     │ specification on standard input, document on standard output
//     │ time limit, or an interrupt: the whole group is killed
//     └ runner dies: the kernel kills the child (it asks for that when it starts; a runner that died
//       before it could ask is noticed by its parent being another)

/// How a child process ended.
package enum ChildOutcome: Sendable, Equatable {
  case finished(output: Data)
  /// It ended by itself, but not as it should; one line says how.
  case crashed(String)
  case timedOut
  /// It was killed because the run was interrupted.
  case interrupted
}

/// Starts a child process, gives it its input, waits for its end, and leaves none behind.
package struct ChildProcess: Sendable {
  package static let parentVariable = "TOPOBENCH_PARENT"

  private let executable: String
  private let arguments: [String]
  private let timeLimit: Duration
  private let interrupts: Interrupts
  private let outputLimit: Int

  /// - Parameters:
  ///   - timeLimit: after which the child and all that it started are killed.
  ///   - outputLimit: how many bytes it may write to standard output; one that writes more counts
  ///     as crashed. Of standard error the end is kept, however much there is.
  package init(
    executable: String, arguments: [String], timeLimit: Duration, interrupts: Interrupts,
    outputLimit: Int = 256 << 20
  ) {
    self.executable = executable
    self.arguments = arguments
    self.timeLimit = timeLimit
    self.interrupts = interrupts
    self.outputLimit = outputLimit
  }

  /// Returns when the child has ended and nothing of its process group is left.
  ///
  /// - Throws: `SubprocessError` if it cannot be started.
  package func run(input: Data) async throws -> ChildOutcome {
    let watch = Watch()
    defer { _ = watch.stop() }
    do {
      return try await run(input: input, watch)
    } catch let error as SubprocessError where Self.blamesChild.contains(error.code) {
      return watch.stop() ?? .crashed("\(error)".oneLine)
    }
  }

  private func run(input: Data, _ watch: Watch) async throws -> ChildOutcome {
    var options = PlatformOptions()
    options.processGroupID = 0
    // A file and no pipe: a child that ends before it reads its input breaks nothing.
    let specification = try FileSystem.nameless(holding: input)
    let result = try await Subprocess.run(
      .path(FilePath(executable)), arguments: Arguments(arguments),
      environment: .inherit.updating(Self.environment), platformOptions: options,
      input: .fileDescriptor(specification, closeAfterSpawningProcess: true),
      output: .data(limit: outputLimit), error: .sequence
    ) { execution in
      let group = execution.processIdentifier.value
      watch.start(group: group, timeLimit: timeLimit, interrupts: interrupts)
      var errors = TextTail(limit: 16 << 10)
      for try await chunk in execution.standardError {
        chunk.withUnsafeBytes { errors.append($0) }
      }
      return errors.text
    }
    return watch.stop()
      ?? Self.outcome(
        result.terminationStatus, output: result.standardOutput, errors: result.closureResult)
  }

  /// What goes wrong because of what the child does.
  private static let blamesChild: Set<SubprocessError.Code> = [
    .outputLimitExceeded, .failedToReadFromSubprocess,
  ]

  private static var environment: [Subprocess.Environment.Key: String?] {
    var values: [Subprocess.Environment.Key: String?] = ["TOPOBENCH_PARENT": "\(getpid())"]
    // A child that crashes is a result, not a case for a debugger.
    if ProcessInfo.processInfo.environment["SWIFT_BACKTRACE"] == nil {
      values["SWIFT_BACKTRACE"] = "enable=no"
    }
    return values
  }

  private static func outcome(
    _ status: TerminationStatus, output: Data, errors: String
  ) -> ChildOutcome {
    let lines = errors.split(whereSeparator: \.isNewline)
    // Where a runtime says what went wrong; otherwise the last that was said.
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
}

// MARK: - In the child

extension ChildProcess {
  /// Ties this process's life to its parent's, if a runner started it. Call it first.
  ///
  /// The runner's process ID comes by the environment: if it died before the kernel was asked to
  /// watch it, this process already has another parent, and leaves.
  package static func dieWithParent() {
    guard let text = ProcessInfo.processInfo.environment[parentVariable],
      let parent = Int32(text)
    else { return }
    // What this process starts is not the runner's child.
    unsetenv(parentVariable)
    _ = clinux_die_with_parent(SIGKILL)
    if getppid() != parent { exit(1) }
  }
}

// MARK: - Time limit and interrupts

/// Kills a child's process group when its time is over or the run is interrupted.
private final class Watch: Sendable {
  private struct State {
    var group: pid_t?
    var cause: ChildOutcome?
    var timer: Task<Void, Never>?
    var registration: Int?
  }

  private let state = Lock(State())
  private let interrupts = Lock<Interrupts?>(nil)

  func start(group: pid_t, timeLimit: Duration, interrupts: Interrupts) {
    let timer = Task { [self] in
      guard (try? await Task.sleep(for: timeLimit)) != nil else { return }
      kill(because: .timedOut)
    }
    state.withLock {
      $0.group = group
      $0.timer = timer
    }
    self.interrupts.withLock { $0 = interrupts }
    let registration = interrupts.whenInterrupted { [weak self] in
      self?.kill(because: .interrupted)
    }
    state.withLock { $0.registration = registration }
  }

  /// The child has ended. What it left in its group is killed.
  func stop() -> ChildOutcome? {
    let ended = state.withLock { state in
      defer { state.group = nil }
      return state
    }
    ended.timer?.cancel()
    if let registration = ended.registration {
      interrupts.withLock { $0 }?.forget(registration)
    }
    if let group = ended.group { killpg(group, SIGKILL) }
    return ended.cause
  }

  private func kill(because cause: ChildOutcome) {
    let group = state.withLock { state -> pid_t? in
      guard let group = state.group, state.cause == nil else { return nil }
      state.cause = cause
      return group
    }
    if let group { killpg(group, SIGKILL) }
  }
}
