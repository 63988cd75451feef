package import Foundation
package import Measurement
import Queues
import SQLiteStore

#if canImport(Glibc)
  import Glibc
#endif

/// Asks this machine, now, for everything that could make figures doubtful.
package enum MachineProbe {
  /// Takes about half a second, in which nothing should be started.
  ///
  /// - Parameter folder: where the stores will lie; it must exist.
  package static func reading(storesIn folder: URL) -> MachineReading {
    let before = ProcessorTimes.now
    var reading = MachineReading()
    reading.build = Machine.build
    reading.kernel = Machine.kernel.unlessUnavailable
    reading.sqlite = StoreEnvironment.sqliteVersion
    reading.cores = Machine.cores
    reading.load = Machine.load
    reading.governor = Machine.governor.unlessUnavailable
    reading.turbo = Machine.turbo
    reading.randomisesAddresses = Machine.randomisesAddresses
    reading.fileSystem = Machine.fileSystem(of: folder).unlessUnavailable
    reading.sync = SyncTime.median(in: folder)
    reading.wakeUp = Machine.wakeUpLatency
    reading.runQueueShare = Machine.runQueueShare(over: .milliseconds(300))
    reading.memoryMiB = Double(Machine.memoryMiB)
    reading.availableMiB = Machine.availableMiB
    reading.memoryPressure = Machine.memoryPressure
    reading.steal = ProcessorTimes.stolen(from: before, to: ProcessorTimes.now)
    return reading
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
  static func runQueueShare(over span: Duration) -> Double? {
    let clock = SystemClock()
    guard let before = runQueueTime else { return nil }
    let start = clock.now()
    while clock.now() - start < span {}
    let took = clock.now() - start
    return runQueueTime.map { Double($0 - before) / 1e6 / took.milliseconds }
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
