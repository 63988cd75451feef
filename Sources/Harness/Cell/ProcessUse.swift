import Foundation
import Measurement

enum ProcessUse {
  /// Fills in CPU time and context switches since the process's start.
  static func note(in sample: inout ProcessSample) {
    let usage = rusage.ofProcess
    sample.cpu = usage.seconds * 1000
    sample.involuntaryContextSwitches = usage.ru_nivcsw
  }

  static var peakRSSMiB: Double? {
    #if os(Linux)
      // `getrusage` may report the parent's peak, which survives `exec`.
      Machine.mebibytes("VmHWM", of: "/proc/self/status")
    #else
      Double(rusage.ofProcess.ru_maxrss) / 1_048_576
    #endif
  }
}
