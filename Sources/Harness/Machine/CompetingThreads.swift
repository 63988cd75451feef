import Foundation

/// Counts the running and runnable threads of other processes, without those at SCHED_IDLE, which
/// take no time from a cell.
///
/// /proc/loadavg, /proc/pressure/cpu and /proc/stat count SCHED_IDLE threads too. So this type
/// reads the state of every thread.
struct CompetingThreads {
  private var counts: [Int] = []

  /// The mean of all looks; nil if other processes are hidden, as in a container.
  var mean: Double? {
    counts.isEmpty ? nil : Double(counts.reduce(0, +)) / Double(counts.count)
  }

  /// Counts all threads once. Takes a few milliseconds with hundreds of threads.
  mutating func look() {
    // kthreadd is a thread of the kernel. It is hidden wherever other processes are.
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

  /// - Parameter stat: the text of a thread's stat file. The name in it may hold any character.
  static func competes(_ stat: String) -> Bool {
    guard let end = stat.lastIndex(of: ")") else { return false }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    // `fields` begins with the third field, the state. The 41st field is the scheduling class.
    guard fields.count > 38 else { return false }
    return ["R", "D"].contains(fields[0]) && fields[38] != idleClass
  }

  /// The number of SCHED_IDLE.
  private static let idleClass = "5"
}
