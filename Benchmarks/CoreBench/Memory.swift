import CLinux
import Foundation

/// Bytes that the process has of its allocator and has not given back.
func heldBytes() throws -> Int {
  let bytes = Int(clinux_allocated_bytes())
  guard bytes >= 0 else { throw BenchError.memoryUnknown }
  return bytes
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
