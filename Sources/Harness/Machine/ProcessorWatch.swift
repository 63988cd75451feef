package import Judging
import Foundation
import Measurement

/// Measures the processor time of other processes: the kernel's count of all work, less this
/// process's own with its ended children. So only call `look` between cells.
package struct ProcessorWatch {
  private let times: () -> ProcessorTimes?
  private let own: () -> Double
  private let start: (times: ProcessorTimes, own: Double)?

  package init() {
    self.init(times: { ProcessorTimes.now }, own: { Self.ownSeconds })
  }

  /// - Parameters:
  ///   - times: returns the time of all processors, in ticks.
  ///   - own: returns the time of this process and its ended children, in seconds.
  init(times: @escaping () -> ProcessorTimes?, own: @escaping () -> Double) {
    (self.times, self.own) = (times, own)
    start = times().map { ($0, own()) }
  }

  /// The kernel counts in ticks. With fewer ticks than these, shares would be mostly rounding.
  private static let fewestTicks = 100.0

  /// The shares since the watch began. Nil if the machine reports none, or right after the start.
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

  private static var ownSeconds: Double {
    #if canImport(Glibc)
      let all = [RUSAGE_SELF, RUSAGE_CHILDREN].map { __rusage_who_t($0.rawValue) }
    #else
      let all = [RUSAGE_SELF, RUSAGE_CHILDREN]
    #endif
    return all.reduce(0) { sum, who in
      var use = rusage()
      getrusage(who, &use)
      return sum + seconds(use.ru_utime) + seconds(use.ru_stime)
    }
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
