import Foundation
package import Judging
import Measurement

/// The kernel's count of all processors' time since boot, in ticks.
struct ProcessorTimes: Equatable {
  let all: Double
  let stolen: Double
  let busy: Double

  init?(stat: String) {
    guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard numbers.count > 7 else { return nil }
    // The guests' time follows in the line, but the user time contains it already.
    all = numbers.prefix(8).reduce(0, +)
    stolen = numbers[7]
    busy = all - numbers[3] - numbers[4] - stolen
  }

  static var now: ProcessorTimes? {
    Machine.text("/proc/stat").flatMap { ProcessorTimes(stat: $0) }
  }

  /// In percent.
  static func stolen(from start: ProcessorTimes?, to end: ProcessorTimes?) -> Double? {
    guard let start, let end, end.all > start.all else { return nil }
    return (end.stolen - start.stolen) / (end.all - start.all) * 100
  }
}

/// Measures the processor time of other processes: all work less that of this process and its ended
/// children. So call `look` only between cells.
package struct ProcessorWatch {
  private let times: () -> ProcessorTimes?
  private let own: () -> Double
  private let start: (times: ProcessorTimes, own: Double)?

  package init() {
    self.init(
      times: { ProcessorTimes.now }, own: { rusage.ofProcess.seconds + rusage.ofChildren.seconds })
  }

  /// `times` returns ticks, `own` seconds.
  init(times: @escaping () -> ProcessorTimes?, own: @escaping () -> Double) {
    (self.times, self.own) = (times, own)
    start = times().map { ($0, own()) }
  }

  /// With fewer of the kernel's ticks, shares would be mostly rounding.
  private static let fewestTicks = 100.0

  /// The shares since the start. Nil if the machine reports none, or right after the start.
  package func look() -> ProcessorShare? {
    guard let start, let now = times(), case let all = now.all - start.times.all,
      all >= Self.fewestTicks
    else { return nil }
    let busy = now.busy - start.times.busy
    let others = busy - (own() - start.own) * Self.ticksPerSecond
    return ProcessorShare(
      others: max(0, others) / all, stolen: max(0, now.stolen - start.times.stolen) / all)
  }

  private static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }
}

extension rusage {
  static var ofProcess: rusage { reading(RUSAGE_SELF) }
  /// Of the children that ended.
  static var ofChildren: rusage { reading(RUSAGE_CHILDREN) }

  /// The CPU time.
  var seconds: Double {
    Double(ru_utime.tv_sec + ru_stime.tv_sec) + Double(ru_utime.tv_usec + ru_stime.tv_usec) / 1e6
  }

  #if canImport(Glibc)
    private static func reading(_ who: __rusage_who) -> rusage {
      var use = rusage()
      getrusage(__rusage_who_t(who.rawValue), &use)
      return use
    }
  #else
    private static func reading(_ who: Int32) -> rusage {
      var use = rusage()
      getrusage(who, &use)
      return use
    }
  #endif
}
