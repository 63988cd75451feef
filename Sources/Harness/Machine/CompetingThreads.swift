import Foundation

/// Counts the running and runnable threads of other processes, without those at SCHED_IDLE.
///
/// It reads the state of every thread, because /proc/loadavg, /proc/pressure/cpu and /proc/stat
/// count SCHED_IDLE threads too.
struct CompetingThreads {
  private var counts: [Int] = []

  /// Nil if other processes are hidden, as in a container.
  var mean: Double? {
    counts.isEmpty ? nil : Double(counts.reduce(0, +)) / Double(counts.count)
  }

  /// Takes a few milliseconds with hundreds of threads.
  mutating func look() {
    // kthreadd, a kernel thread, is hidden wherever other processes are.
    guard Machine.text("/proc/2/comm") == "kthreadd" else { return }
    let own = getpid()
    let processes = Self.entries(of: "/proc").compactMap { Int32($0) }.filter { $0 != own }
    counts.append(processes.reduce(0) { $0 + Self.count(in: $1) })
  }

  private static func count(in process: Int32) -> Int {
    let tasks = "/proc/\(process)/task"
    return entries(of: tasks).count {
      Machine.text("\(tasks)/\($0)/stat").map(competes) ?? false
    }
  }

  private static func entries(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// - Parameter stat: a thread's stat file. The name in it may hold any character.
  static func competes(_ stat: String) -> Bool {
    guard let end = stat.lastIndex(of: ")") else { return false }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    // The first of `fields` is the state, the third field of proc(5). The 41st is the scheduling
    // class.
    guard fields.count > 38 else { return false }
    return ["R", "D"].contains(fields[0]) && fields[38] != idleClass
  }

  private static let idleClass = "5"
}
