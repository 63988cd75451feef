import CLinux
import Dispatch
import Foundation
import Queues
import Synchronization

// Processors while cells run, with `--keep-awake`:
//
//   processor 0   cell ~~~~ cell cell ~~~~~~~~~ cell    ~ an idle thread of this process at
//   processor 1   ~~~~ cell ~~~~~~~~~~~~~~ cell ~~~~~      SCHED_IDLE; a cell replaces it at once
//
// Without them a processor sleeps between two pieces of a cell's work. A virtual machine then
// probably returns it to the host, and it comes back late and with cold caches. In any case pairs
// of cells scatter more (results/judge/README.md).

/// Keeps this process's processors from sleeping, until it is stopped or released.
///
/// Each processor gets a thread, bound to it, that runs only while no other thread would. Cells run
/// in other processes, which inherit neither a thread's scheduling class nor its processor. The
/// threads hold no lock, take no signal and wait for nothing.
package final class AwakeProcessors: Sendable {
  package let count: Int
  private let spinning = Spinning()

  /// Starts the threads. Returns when all are in the class SCHED_IDLE.
  ///
  /// - Throws: `UsageError` if the system lacks the class or refuses it.
  package init() throws {
    let processors = Self.allowed
    count = processors.count
    for processor in processors { spinning.start(on: processor) }
    guard !processors.isEmpty, spinning.haveBegun(processors.count) else {
      spinning.end()
      throw UsageError(
        "--keep-awake: this system cannot run threads at idle priority (Linux's SCHED_IDLE);"
          + " leave the option out")
    }
  }

  deinit { stop() }

  /// Each thread ends when it runs next.
  package func stop() { spinning.end() }

  private static var allowed: [Int32] {
    let room = 16384
    return [Int32](unsafeUninitializedCapacity: room) { buffer, count in
      count = Int(max(0, clinux_allowed_processors(buffer.baseAddress, Int32(room))))
    }
  }
}

private final class Spinning: Sendable {
  private let isOver = Atomic(false)
  private let refused = Atomic(0)
  private let begun = DispatchSemaphore(value: 0)

  func start(on processor: Int32) { StartedThread.run { self.spin(on: processor) } }

  func haveBegun(_ count: Int) -> Bool {
    for _ in 0..<count { begun.wait() }
    return refused.load(ordering: .relaxed) == 0
  }

  func end() { isOver.store(true, ordering: .relaxed) }

  private func spin(on processor: Int32) {
    Self.takeNoSignal()
    guard clinux_run_only_when_idle(processor) == 0 else {
      refused.add(1, ordering: .relaxed)
      begun.signal()
      return
    }
    begun.signal()
    while !isOver.load(ordering: .relaxed) {}
  }

  /// Blocks signals: a handler would run as late as this thread does.
  private static func takeNoSignal() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
  }
}

extension AwakeProcessors {
  /// - Throws: `UsageError` if the threads would take time from the cells here.
  package static func checkMachine() throws {
    let count = allowed.count
    guard count > 0 else {
      throw UsageError("--keep-awake: it needs Linux's SCHED_IDLE; leave it out here")
    }
    guard clinux_runs_only_when_idle() == 0 else {
      throw UsageError(
        "--keep-awake: this process itself runs at SCHED_IDLE, so its cells would share the"
          + " processors with the threads that keep them awake; start it without `chrt --idle`")
    }
    let quota = ProcessorQuota.now
    if let quota, quota < Double(count) {
      throw UsageError(
        "--keep-awake: a control group limits this process to the time of"
          + " \(quota.formatted()) of its \(count) processors. Keeping them awake would use up that"
          + " time: lift the limit (cpu.max), or use fewer processors (taskset --cpu-list)")
    }
  }
}

/// A control group's limit, as from `docker run --cpus 2`.
enum ProcessorQuota {
  /// In processors; nil without a limit, or if the system reports none.
  static var now: Double? {
    Machine.text("/proc/self/cgroup").flatMap { least(of: $0) { Machine.text($0) } }
  }

  /// The lowest limit of this process's groups and their parents, in cgroups v1 and v2.
  ///
  /// - Parameters:
  ///   - groups: the text of /proc/self/cgroup, with lines `number:controllers:path`.
  ///   - read: returns a file's text, or nil without a file.
  static func least(of groups: String, read: (String) -> String?) -> Double? {
    let limits = groups.split(separator: "\n").flatMap { line -> [Double] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let folders = around(String(parts[2]))
      if parts[0] == "0", parts[1].isEmpty {
        return folders.compactMap { read("/sys/fs/cgroup\($0)/cpu.max").flatMap(limit) }
      }
      guard parts[1].split(separator: ",").contains("cpu") else { return [] }
      return folders.compactMap { folder in
        let files = ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
        let texts = files.compactMap { read("/sys/fs/cgroup/cpu\(folder)/\($0)") }
        return limit(texts.joined(separator: " "))
      }
    }
    return limits.min()
  }

  /// For `/a/b`: `/a/b`, `/a` and the empty path.
  private static func around(_ path: String) -> [String] {
    let names = path.split(separator: "/")
    return (0...names.count).reversed().map { count in
      names.prefix(count).map { "/\($0)" }.joined()
    }
  }

  /// Parses `quota period`. Without a limit the quota is `max` or -1.
  private static func limit(_ text: String) -> Double? {
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
    return numbers[0] / numbers[1]
  }
}
