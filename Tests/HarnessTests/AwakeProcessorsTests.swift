import Foundation
import Testing

@testable import Harness

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.serialized, .timeLimit(.minutes(1)))
struct AwakeProcessorsTests {
  /// By thread ID; 5 is SCHED_IDLE.
  private func classes() -> [String: Int] {
    let tasks = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    let stats = threads.compactMap { thread in
      Machine.text("\(tasks)/\(thread)/stat").map { (thread, $0) }
    }
    return Dictionary(
      uniqueKeysWithValues: stats.filter { $0.1.contains(" (awake ") }
        .map { ($0.0, Self.schedulingClass(of: $0.1)) })
  }

  /// The 41st field of a thread's stat file.
  private static func schedulingClass(of stat: String) -> Int {
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 38 ? Int(fields[38]) ?? -1 : -1
  }

  #if os(Linux)
    @Test func `one idle-class thread runs on each processor until it is stopped`()
      throws
    {
      let awake = try AwakeProcessors()
      #expect(awake.count == ProcessInfo.processInfo.activeProcessorCount)
      #expect(Array(classes().values) == Array(repeating: 5, count: awake.count))
      awake.stop()
      while !classes().isEmpty { sched_yield() }
    }

    @Test func `the threads end when their owner is released`() throws {
      do {
        let awake = try AwakeProcessors()
        #expect(classes().count == awake.count)
      }
      while !classes().isEmpty { sched_yield() }
    }

    @Test func `a child inherits neither their class nor their processor`() async throws {
      let own = try (#require(Machine.text("/proc/thread-self/stat")), allowed("/proc/self/status"))
      let awake = try AwakeProcessors()
      defer { awake.stop() }
      let outcome = try await ChildProcess(
        executable: "/bin/cat", arguments: ["/proc/self/stat", "/proc/self/status"],
        timeLimit: .seconds(30), interrupts: Interrupts()
      ).run(input: Data())
      guard case .finished(let output) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
      #expect(Self.schedulingClass(of: lines[0]) == Self.schedulingClass(of: own.0))
      #expect(lines.first { $0.hasPrefix("Cpus_allowed:") } == own.1)
    }

    private func allowed(_ file: String) throws -> String? {
      try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
        .first { $0.hasPrefix("Cpus_allowed:") }
    }
  #endif

  @Test func `the quota is the lowest of a control group and its parents`() {
    let files = [
      "/sys/fs/cgroup/a/b/cpu.max": "max 100000", "/sys/fs/cgroup/a/cpu.max": "150000 100000",
      "/sys/fs/cgroup/cpu.max": "400000 100000",
      "/sys/fs/cgroup/cpu/old/cpu.cfs_quota_us": "50000",
      "/sys/fs/cgroup/cpu/old/cpu.cfs_period_us": "100000",
      "/sys/fs/cgroup/cpu/free/cpu.cfs_quota_us": "-1",
      "/sys/fs/cgroup/cpu/free/cpu.cfs_period_us": "100000",
    ]
    func quota(_ groups: String) -> Double? { ProcessorQuota.least(of: groups) { files[$0] } }
    #expect(quota("0::/a/b") == 1.5)
    #expect(quota("0::/") == 4)
    #expect(quota("4:memory:/a\n3:cpu,cpuacct:/old\n0::/c") == 0.5)
    #expect(quota("3:cpu:/free") == nil)
    #expect(quota("") == nil)
  }

  @Test func `running and runnable threads count, except those at SCHED_IDLE`() {
    func stat(_ name: String, _ state: String, schedulingClass: Int) -> String {
      let before = (4...40).map(String.init).joined(separator: " ")
      return "7 (\(name)) \(state) \(before) \(schedulingClass) 0 0"
    }
    #expect(CompetingThreads.competes(stat("cc", "R", schedulingClass: 0)))
    #expect(CompetingThreads.competes(stat("dd", "D", schedulingClass: 0)))
    #expect(CompetingThreads.competes(stat("rr", "R", schedulingClass: 2)))
    #expect(!CompetingThreads.competes(stat("awake 0", "R", schedulingClass: 5)))
    #expect(!CompetingThreads.competes(stat("sh", "S", schedulingClass: 0)))
    #expect(!CompetingThreads.competes(stat("a) S (b", "I", schedulingClass: 0)))
    #expect(CompetingThreads.competes(stat("a) S (b", "R", schedulingClass: 0)))
    #expect(!CompetingThreads.competes(""))
    #expect(!CompetingThreads.competes("7 (cc) R 1"))
  }

  @Test func `a virtual machine is recognised by its processor flags or its firmware`() {
    let guest = "processor: 0\nflags\t\t: fpu hypervisor sse\n"
    #expect(Machine.isGuest(processors: guest) { _ in false } == true)
    #expect(Machine.isGuest(processors: "flags : fpu sse\n") { _ in false } == false)
    #expect(Machine.isGuest(processors: "Features : fp\n") { _ in false } == nil)
    #expect(Machine.isGuest(processors: "") { $0 == "/sys/hypervisor/type" } == true)
  }
}
