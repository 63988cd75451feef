package import Foundation
import Measurement
import Queues
import SQLiteStore

/// The inputs of properties that are not read one by one.
package struct MachineProbe: Sendable {
  /// An existing folder in which stores will lie.
  let folder: URL
  let keepsAwake: Bool
  let version: String
  /// Nil if unknown.
  let gitSHA: String?
  /// Nil if the folder holds no store.
  let pragmas: [String: String]?
  /// A digest of the program; nil if its file cannot be read.
  let binary: String?
  /// Sentences about what could not be read.
  let failures: [String]
  /// In percent, as is `steal`.
  let runQueueDelay: Double?
  let steal: Double?
  let competing: Double?
  let loadAverage: [Double]?

  /// Takes about half a second. Start nothing else meanwhile.
  init(version: String, gitSHA: String, storesIn folder: URL, keepsAwake: Bool) {
    (self.version, self.gitSHA) = (version, gitSHA.isEmpty ? nil : gitSHA)
    (self.folder, self.keepsAwake) = (folder, keepsAwake)
    var failures: [String] = []
    pragmas = Self.pragmas(in: folder, &failures)
    binary = Self.binary(&failures)
    self.failures = failures
    let before = ProcessorTimes.now
    loadAverage = Machine.loadAverage
    var threads = CompetingThreads()
    runQueueDelay = Machine.runQueueShare(over: .milliseconds(300)) { threads.look() }
      .map { ($0 * 10000).rounded() / 100 }
    competing = threads.mean
    steal = ProcessorTimes.stolen(from: before, to: ProcessorTimes.now)
  }

  private static func pragmas(in folder: URL, _ failures: inout [String]) -> [String: String]? {
    let store = folder.appendingPathComponent("environment-probe.sqlite")
    defer { try? StoreFile.remove(at: store) }
    do {
      return try StoreEnvironment.pragmas(of: .init(url: store, mode: .pool))
    } catch {
      failures.append(
        "The pragmas of a store cannot be read: \(FileError.message(error)). They are not recorded,"
          + " and --resume will not compare them.")
      return nil
    }
  }

  static func binary(
    of program: String = "/proc/self/exe", _ failures: inout [String]
  ) -> String? {
    do {
      return try Machine.digest(of: program)
    } catch {
      failures.append(
        "The program '\(program)' cannot be read: \(FileError.reason(error)). Its digest is not"
          + " recorded, and --resume will not compare it.")
      return nil
    }
  }

  /// Syncs and wake-ups are measured with processors awake if cells will run so, the use by other
  /// processes before it.
  package static func reading(
    version: String, gitSHA: String, storesIn folder: URL, keepsAwake: Bool
  ) -> MachineReading {
    MachineProbe(version: version, gitSHA: gitSHA, storesIn: folder, keepsAwake: keepsAwake).reading
  }

  var reading: MachineReading {
    // The caller has checked that this works, and starts it again for the cells.
    let awake = keepsAwake ? try? AwakeProcessors() : nil
    defer { awake?.stop() }
    return MachineReading(from: self)
  }
}

extension Machine {
  /// Whether the processor may exceed its base frequency. Each of two drivers has its own file.
  static var turbo: Bool? {
    let cpu = "/sys/devices/system/cpu"
    if let isOff = text("\(cpu)/intel_pstate/no_turbo") { return isOff == "0" }
    return text("\(cpu)/cpufreq/boost").map { $0 == "1" }
  }

  /// By the processor's flags or the firmware. Nil if neither says. False if a hypervisor hides
  /// itself.
  static var isVirtual: Bool? {
    isGuest(processors: text("/proc/cpuinfo") ?? "") {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  static func isGuest(processors: String, exists: (String) -> Bool) -> Bool? {
    if ["/sys/hypervisor/type", "/proc/device-tree/hypervisor"].contains(where: exists) {
      return true
    }
    let flags = processors.split(separator: "\n").first { $0.hasPrefix("flags") }
    return flags.map { $0.split(separator: " ").contains("hypervisor") }
  }

  /// False also for a process started with `setarch --addr-no-randomize`.
  static var randomisesAddresses: Bool? {
    guard let setting = text("/proc/sys/kernel/randomize_va_space") else { return nil }
    let personality = text("/proc/self/personality").flatMap { Int($0, radix: 16) } ?? 0
    return setting != "0" && personality & 0x0040000 == 0
  }

  static var availableMiB: Double? { mebibytes("MemAvailable", of: "/proc/meminfo") }

  /// The percentage of the last ten seconds in which a task waited for memory.
  static var memoryPressure: Double? { text("/proc/pressure/memory").flatMap(pressure) }

  static func pressure(_ text: String) -> Double? {
    let some = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    return some?.split(separator: " ").first { $0.hasPrefix("avg10=") }
      .flatMap { Double($0.dropFirst("avg10=".count)) }
  }

  /// The share of a span in which the calling thread was runnable but did not run. Nil if the
  /// kernel does not report it.
  ///
  /// - Parameter work: repeated during the span; it must not wait.
  static func runQueueShare(over span: Duration, doing work: () -> Void) -> Double? {
    let clock = SystemClock()
    let times = ThreadTimes()
    let before = times.runqueue()
    let start = clock.now()
    while clock.now() - start < span { work() }
    let took = clock.now() - start
    guard let before, let after = times.runqueue() else { return nil }
    return Double(after - before) / 1e6 / took.milliseconds
  }
}

/// Counts the running and runnable threads of other processes, without those at SCHED_IDLE.
///
/// It reads the state of every thread, because /proc/loadavg, /proc/pressure/cpu and /proc/stat
/// count SCHED_IDLE threads too.
struct CompetingThreads {
  private var counts: [Int] = []

  /// Nil if other processes are hidden, as in a container.
  var mean: Double? { counts.isEmpty ? nil : Double(counts.reduce(0, +)) / Double(counts.count) }

  /// Takes a few milliseconds with hundreds of threads.
  mutating func look() {
    // kthreadd, a kernel thread, is hidden wherever other processes are.
    guard Machine.text("/proc/2/comm") == "kthreadd" else { return }
    let own = getpid()
    let processes = FileSystem.names(in: "/proc").compactMap { Int32($0) }.filter { $0 != own }
    counts.append(processes.reduce(0) { $0 + Self.count(in: $1) })
  }

  private static func count(in process: Int32) -> Int {
    let tasks = "/proc/\(process)/task"
    return FileSystem.names(in: tasks).count {
      Machine.text("\(tasks)/\($0)/stat").map(competes) ?? false
    }
  }

  static func competes(_ stat: String) -> Bool {
    let fields = Machine.fields(ofStat: stat)
    // The state, and the scheduling class: the 41st field of proc(5), where 5 is SCHED_IDLE.
    return fields.count > 38 && ["R", "D"].contains(fields[0]) && fields[38] != "5"
  }
}
