import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Counts the threads of others that run or want to, as the kernel does for its load average, but
/// without those that run only where nothing else would (SCHED_IDLE): they take no time from a cell.
///
/// No file of the kernel tells them apart: /proc/loadavg and /proc/pressure/cpu count them, /proc/stat
/// has their time as that of any other program. So the threads themselves are looked at, one by one.
/// Nor can their part of the average be subtracted: it grows for minutes while processors are kept
/// awake, and is in what the next run reads, when nobody knows any more how long they were.
struct CompetingThreads {
  private var counts: [Int] = []

  /// Of all looks; nil where the threads of others are not to be seen, as in a container.
  var mean: Double? {
    counts.isEmpty ? nil : Double(counts.reduce(0, +)) / Double(counts.count)
  }

  /// Looks at all threads once: in a few milliseconds, where there are hundreds.
  mutating func look() {
    // A thread of the kernel's own, which is hidden wherever something is.
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

  /// - Parameter stat: the text of a thread's stat, in which the name may hold anything.
  static func competes(_ stat: String) -> Bool {
    guard let end = stat.lastIndex(of: ")") else { return false }
    let fields = stat[stat.index(after: end)...].split(separator: " ")
    // The third of all fields is the first here, the state; the 41st is the class.
    guard fields.count > 38 else { return false }
    return ["R", "D"].contains(fields[0]) && fields[38] != idleClass
  }

  /// SCHED_IDLE.
  private static let idleClass = "5"
}
