import Foundation

/// The kernel's count of all processors' time since boot, in ticks.
struct ProcessorTimes: Equatable {
  let all: Double
  let stolen: Double

  init?(stat: String) {
    guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
    guard numbers.count > 7 else { return nil }
    // The guests' time follows in the line, but the user time contains it already.
    all = numbers.prefix(8).reduce(0, +)
    stolen = numbers[7]
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

/// Measures how much of the processors' time the host gives to other guests.
package struct ProcessorWatch {
  private let times: () -> ProcessorTimes?
  private let start: ProcessorTimes?

  package init() { self.init(times: { ProcessorTimes.now }) }

  init(times: @escaping () -> ProcessorTimes?) {
    self.times = times
    start = times()
  }

  /// With fewer of the kernel's ticks, shares would be mostly rounding.
  private static let fewestTicks = 100.0

  /// The share from 0 to 1 since the start. Nil if the machine reports none, or right after the
  /// start.
  package var stolen: Double? {
    guard let start, let now = times(), now.all - start.all >= Self.fewestTicks else { return nil }
    return max(0, now.stolen - start.stolen) / (now.all - start.all)
  }
}

extension rusage {
  static var ofProcess: rusage { reading(RUSAGE_SELF) }

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
