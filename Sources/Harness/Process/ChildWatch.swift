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
  ///
  /// - Parameter isTooLong: whether the child has written too much; called every 0.1 s.
  init(
    timeLimit: Duration, interrupts: Interrupts, isTooLong: @escaping @Sendable () -> Bool
  ) {
    self.interrupts = interrupts
    let task = Task { [weak self] in
      let isOver: Void? = try? await Self.run(for: timeLimit) {
        if isTooLong() { self?.kill(because: Self.tooLong) }
      }
      if isOver != nil, let self { self.kill(because: .timedOut(threads: self.threads)) }
    }
    let registration = interrupts.whenInterrupted { [weak self] in
      self?.kill(because: .interrupted)
    }
    state.withLock { ($0.timer, $0.registration) = (task, registration) }
  }

  static let tooLong = ChildOutcome.crashed("killed, because it wrote too much output")

  /// Returns when this process has run for the duration. While it is stopped, as by Ctrl-Z, time
  /// does not count: a tick over a second late counts as one tick.
  static func run(for limit: Duration, tick body: () -> Void = {}) async throws {
    let clock = ContinuousClock()
    var left = limit
    while left > .zero {
      let tick = min(left, .milliseconds(100))
      let start = clock.now
      try await Task.sleep(for: tick)
      let took = clock.now - start
      left -= took > tick + .seconds(1) ? tick : took
      body()
    }
  }

  func started(group: pid_t) {
    state.withLock { state in
      state.group = group
      if state.cause != nil { killpg(group, SIGKILL) }
    }
  }

  /// Kills what is left of the group. Call it before the group's leader is reaped.
  ///
  /// - Returns: why the watch killed the child; nil if it did not.
  func stop() -> ChildOutcome? {
    let ended = state.withLock { state in
      defer { (state.group, state.isOver) = (nil, true) }
      if let group = state.group { killpg(group, SIGKILL) }
      return state
    }
    ended.timer?.cancel()
    if let registration = ended.registration { interrupts.forget(registration) }
    return ended.cause
  }

  private var threads: String { state.withLock { $0.group.map(ThreadStates.text) ?? "" } }

  private func kill(because cause: ChildOutcome) {
    let isUnexecuted = state.withLock { state in
      guard !state.isOver, state.cause == nil else { return false }
      state.cause = cause
      if let group = state.group { killpg(group, SIGKILL) }
      return state.group == nil
    }
    if isUnexecuted { Self.killUnexecuted() }
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
