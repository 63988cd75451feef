import Foundation
import Judging

/// Reads from the kernel, for each thread of a process, whether it runs or for what it waits.
enum ThreadStates {
  /// `main waits for another thread, worker runs, 5 other threads wait`: those with a name of their
  /// own, and how many others. Empty if the process is gone.
  static func text(of process: pid_t) -> String {
    let tasks = "/proc/\(process)/task"
    let own = Machine.text("/proc/\(process)/comm")
    let states = FileSystem.names(in: tasks).compactMap { Int($0) }.sorted().compactMap { task in
      state(of: "\(tasks)/\(task)")
    }
    // Dispatch names its threads after their quality of service.
    func isNamed(_ name: String) -> Bool { name != own && !name.contains("-qos") }
    let named = states.filter { isNamed($0.name) }
      .map { "\($0.name) \(does($0.state, $0.place))" }
    let others = states.filter { !isNamed($0.name) }
    let running = others.count { $0.state == "R" }
    let counts = [(running, "run"), (others.count - running, "wait")].filter { $0.0 > 0 }
    let noun = named.isEmpty ? "thread" : "other thread"
    let clauses = counts.map { count, verb in
      "\(Figures.counted(count, noun)) \(verb)\(count == 1 ? "s" : "")"
    }
    return (named.prefix(most) + clauses).joined(separator: ", ")
  }

  private static let most = 8

  private static func state(of task: String) -> (name: String, state: Substring, place: String)? {
    guard let name = Machine.text("\(task)/comm"), let stat = Machine.text("\(task)/stat"),
      let state = Machine.fields(ofStat: stat).first
    else { return nil }
    return (name, state, Machine.text("\(task)/wchan") ?? "")
  }

  /// - Parameter place: the kernel's function in which the thread waits; empty or 0 if hidden.
  private static func does(_ state: Substring, _ place: String) -> String {
    switch state {
    case "R": "runs"
    case "D": "waits for the disk"
    case _ where place.hasPrefix("futex"): "waits for another thread"
    // SQLite sleeps between two tries.
    case _ where place.contains("nanosleep"): "waits for SQLite's lock"
    default: "waits"
    }
  }
}
