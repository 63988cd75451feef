import Foundation
import Measurement

enum ProcessUse {
  /// Fills in CPU time, peak memory and context switches since the process's start.
  static func note(in sample: inout ProcessSample) {
    let usage = rusage.ofProcess
    sample.cpu = usage.seconds * 1000
    #if os(Linux)
      // `getrusage` may report the parent's peak, which survives `exec`.
      sample.peakRSSMiB = Machine.mebibytes("VmHWM", of: "/proc/self/status")
    #else
      sample.peakRSSMiB = Double(usage.ru_maxrss) / 1_048_576
    #endif
    sample.involuntaryContextSwitches = usage.ru_nivcsw
  }
}
