import Foundation
import Queues

final class ChildWatch: Sendable {
  private struct State {
    var group: pid_t?
    var cause: ChildOutcome?
    var isOver = false
    var registration: Int?
    var timer: Task<Void, Never>?
  }

  private let state = Lock(State())
  private let interrupts: Interrupts

  /// Call it before the child is spawned: a stopped child keeps the spawning call waiting.
  init(timeLimit: Duration, interrupts: Interrupts) {
    self.interrupts = interrupts
    let task = Task { [weak self] in
      guard (try? await Self.run(for: timeLimit)) != nil else { return }
      self?.kill(because: .timedOut)
    }
    let registration = interrupts.whenInterrupted { [weak self] in
      self?.kill(because: .interrupted)
    }
    state.withLock { ($0.timer, $0.registration) = (task, registration) }
  }

  /// Returns when this process has run for the duration. While it is stopped, as by Ctrl-Z, time
  /// does not count: a tick over a second late counts as one tick.
  static func run(for limit: Duration) async throws {
    let clock = ContinuousClock()
    var left = limit
    while left > .zero {
      let tick = min(left, .milliseconds(100))
      let start = clock.now
      try await Task.sleep(for: tick)
      let took = clock.now - start
      left -= took > tick + .seconds(1) ? tick : took
    }
  }

  func started(group: pid_t) {
    let isLate = state.withLock { state in
      state.group = group
      return state.cause != nil
    }
    if isLate { killpg(group, SIGKILL) }
  }

  /// Kills what is left of the group.
  ///
  /// - Returns: why the watch killed the child; nil if it did not.
  func stop() -> ChildOutcome? {
    let ended = state.withLock { state in
      defer {
        state.group = nil
        state.isOver = true
      }
      return state
    }
    ended.timer?.cancel()
    if let registration = ended.registration { interrupts.forget(registration) }
    if let group = ended.group { killpg(group, SIGKILL) }
    return ended.cause
  }

  private func kill(because cause: ChildOutcome) {
    let (isFirst, group) = state.withLock { state -> (Bool, pid_t?) in
      guard !state.isOver, state.cause == nil else { return (false, nil) }
      state.cause = cause
      return (true, state.group)
    }
    guard isFirst else { return }
    if let group { killpg(group, SIGKILL) } else { Self.killUnexecuted() }
  }

  /// Kills children that do not execute their own program yet. A stopped one would keep its parent
  /// waiting for ever.
  private static func killUnexecuted() {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let processes = FileSystem.names(in: "/proc").compactMap { pid_t($0) }
    for process in processes where parent(of: process) == getpid() {
      let program = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(process)/exe")
      if program == own { Foundation.kill(process, SIGKILL) }
    }
  }

  private static func parent(of process: pid_t) -> pid_t? {
    guard let stat = Machine.text("/proc/\(process)/stat") else { return nil }
    // The state comes before the parent.
    return Machine.fields(ofStat: stat).dropFirst().first.flatMap { pid_t($0) }
  }
}
