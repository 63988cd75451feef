import Foundation
import Measurement

enum ProcessUse {
  static func note(in sample: inout ProcessSample) {
    var usage = rusage()
    #if canImport(Glibc)
      guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
    #else
      guard getrusage(RUSAGE_SELF, &usage) == 0 else { return }
    #endif
    sample.cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    #if os(Linux)
      sample.peakRSSMiB = peakMiB
    #else
      sample.peakRSSMiB = Double(usage.ru_maxrss) / 1_048_576
    #endif
    sample.involuntaryContextSwitches = usage.ru_nivcsw
  }

  #if os(Linux)
    /// In MiB. `getrusage` may report the parent's peak, which survives `exec`.
    private static var peakMiB: Double? {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
        .flatMap { Double($0) }.map { $0 / 1024 }
    }
  #endif

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
  }

  /// In MiB; nil if the file cannot be read.
  static func size(of file: URL) -> Double? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return (attributes?[.size] as? Int).map { Double($0) / 1_048_576 }
  }
}
