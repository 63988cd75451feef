package import Judging
import Foundation
import Measurement

/// Measures the processor time of other processes: all work less that of this process and its ended
/// children. So call `look` only between cells.
package struct ProcessorWatch {
  private let times: () -> ProcessorTimes?
  private let own: () -> Double
  private let start: (times: ProcessorTimes, own: Double)?

  package init() {
    self.init(times: { ProcessorTimes.now }, own: { Self.ownSeconds })
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
