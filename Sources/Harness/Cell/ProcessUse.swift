import Foundation
import Measurement

#if canImport(Glibc)
  import Glibc
#endif

/// What the kernel says of this process, from its start.
enum ProcessUse {
  /// Fills in CPU time, peak memory and context switches.
  static func note(in sample: inout ProcessSample) {
    var usage = rusage()
    #if canImport(Glibc)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return }
    #endif
    sample.cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    #if os(Linux)
      sample.peakRSSMiB = Double(usage.ru_maxrss) / 1024
    #else
      sample.peakRSSMiB = Double(usage.ru_maxrss) / 1_048_576
    #endif
    sample.involuntaryContextSwitches = usage.ru_nivcsw
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }

  /// The size of a file in MiB, with its WAL; nil if it cannot be told.
  static func size(of file: URL) -> Double? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? Int).map { Double($0) / 1_048_576 }
  }
}
