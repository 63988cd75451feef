import CLinux
import Foundation

/// Bytes that the process has of its allocator and has not given back; nil where the allocator does
/// not count them, as where a sanitizer stands in for it, or on another system.
func heldBytes() -> Int? {
  let bytes = Int(clinux_allocated_bytes())
  return bytes > 0 ? bytes : nil
}

/// The most memory that the process ever had resident, in MiB.
func peakResidentMiB() throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
    if let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) {
      return kibibytes / 1024
    }
  }
  throw BenchError.memoryUnknown
}
