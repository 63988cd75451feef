package import Foundation
package import Judging
import Measurement
import Queues
import SQLiteStore

#if canImport(Glibc)
  import Glibc
#endif

/// Asks this machine, now, for everything that could make figures doubtful.
package enum MachineProbe {
  /// Takes about half a second, in which nothing should be started.
  ///
  /// - Parameters:
  ///   - folder: where the stores will lie; it must exist.
  ///   - keepsAwake: whether cells are to be measured with the processors kept awake. Then syncs and
  ///     waits are measured so, and what others do before.
  package static func reading(storesIn folder: URL, keepsAwake: Bool = false) -> MachineReading {
    let before = ProcessorTimes.now
    var reading = MachineReading()
    reading.load = Machine.load
    var competing = CompetingThreads()
    reading.runQueueShare = Machine.runQueueShare(over: .milliseconds(300)) { competing.look() }
    reading.competing = competing.mean
    reading.steal = ProcessorTimes.stolen(from: before, to: ProcessorTimes.now)
    reading.note(settingsIn: folder)
    reading.keepsAwake = keepsAwake
    // Who asks for it has looked whether it can be had, and starts it again for the cells.
    let awake = keepsAwake ? try? AwakeProcessors() : nil
    defer { awake?.stop() }
    reading.sync = SyncTime.median(in: folder)
    reading.wakeUp = Machine.wakeUpLatency
    return reading
  }
}

extension MachineReading {
  /// What does not change from moment to moment, and the memory.
  fileprivate mutating func note(settingsIn folder: URL) {
    build = Machine.build
    kernel = Machine.kernel.unlessUnavailable
    sqlite = StoreEnvironment.sqliteVersion
    cores = Machine.cores
    isVirtual = Machine.isVirtual
    governor = Machine.governor.unlessUnavailable
    turbo = Machine.turbo
    randomisesAddresses = Machine.randomisesAddresses
    fileSystem = Machine.fileSystem(of: folder).unlessUnavailable
    memoryMiB = Double(Machine.memoryMiB)
    availableMiB = Machine.availableMiB
    memoryPressure = Machine.memoryPressure
  }
}

/// What the kernel has counted of all processors' time since boot, in its ticks.
struct ProcessorTimes: Equatable {
  let all: Double
  let stolen: Double
  /// What was spent on work of this machine.
  let busy: Double

  /// From the text of /proc/stat; nil where it is not as expected.
  init?(stat: String) {
    guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard numbers.count > 7 else { return nil }
    // The guests' time, which follows, is counted in user's already.
    all = numbers.prefix(8).reduce(0, +)
    stolen = numbers[7]
    // Neither idle nor waiting for a disk, nor taken by other guests.
    busy = all - numbers[3] - numbers[4] - stolen
  }

  static var now: ProcessorTimes? {
    Machine.text("/proc/stat").flatMap { ProcessorTimes(stat: $0) }
  }

  /// In percent of the time between two readings.
  static func stolen(from start: ProcessorTimes?, to end: ProcessorTimes?) -> Double? {
    guard let start, let end, end.all > start.all else { return nil }
    return (end.stolen - start.stolen) / (end.all - start.all) * 100
  }
}

extension Machine {
  /// Whether the clock may rise above what the processor can hold. Two drivers tell, each in its
  /// own words.
  static var turbo: Bool? {
    let cpu = "/sys/devices/system/cpu"
    if let isOff = text("\(cpu)/intel_pstate/no_turbo") { return isOff == "0" }
    return text("\(cpu)/cpufreq/boost").map { $0 == "1" }
  }

  /// Whether this is a guest of another machine, as the processor or the firmware says; nil where
  /// nothing is told, or a hypervisor hides.
  static var isVirtual: Bool? {
    isGuest(processors: text("/proc/cpuinfo") ?? "") {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  /// - Parameter processors: the text of /proc/cpuinfo.
  static func isGuest(processors: String, exists: (String) -> Bool) -> Bool? {
    if ["/sys/hypervisor/type", "/proc/device-tree/hypervisor"].contains(where: exists) {
      return true
    }
    let flags = processors.split(separator: "\n").first { $0.hasPrefix("flags") }
    return flags.map { $0.split(separator: " ").contains("hypervisor") }
  }

  /// Also false where this process was started with `setarch --addr-no-randomize`.
  static var randomisesAddresses: Bool? {
    guard let setting = text("/proc/sys/kernel/randomize_va_space") else { return nil }
    let personality = text("/proc/self/personality").flatMap { Int($0, radix: 16) } ?? 0
    return setting != "0" && personality & 0x0040000 == 0
  }

  /// What programs could have without swapping.
  static var availableMiB: Double? {
    field("MemAvailable", of: "/proc/meminfo")?.split(separator: " ").first
      .flatMap { Double($0) }.map { $0 / 1024 }
  }

  /// The share of the last ten seconds in which something waited for memory, in percent.
  static var memoryPressure: Double? {
    text("/proc/pressure/memory").flatMap(pressure)
  }

  static func pressure(_ text: String) -> Double? {
    let some = text.split(separator: "\n").first { $0.hasPrefix("some ") }
    return some?.split(separator: " ").first { $0.hasPrefix("avg10=") }
      .flatMap { Double($0.dropFirst("avg10=".count)) }
  }

  /// The share of a span for which the calling thread, wanting to run all the while, did not; nil
  /// where the kernel does not tell.
  ///
  /// - Parameter work: what it does all the while, without waiting for anything.
  static func runQueueShare(over span: Duration, doing work: () -> Void) -> Double? {
    let clock = SystemClock()
    let before = runQueueTime
    let start = clock.now()
    while clock.now() - start < span { work() }
    let took = clock.now() - start
    guard let before, let after = runQueueTime else { return nil }
    return Double(after - before) / 1e6 / took.milliseconds
  }

  /// Of the calling thread, in nanoseconds: the second number of its schedstat.
  private static var runQueueTime: Int64? {
    text("/proc/thread-self/schedstat")?.split(separator: " ").dropFirst().first
      .flatMap { Int64($0) }
  }
}

extension String {
  /// Nil for what the environment file calls unavailable.
  var unlessUnavailable: String? { self == Machine.unavailable || isEmpty ? nil : self }
}
