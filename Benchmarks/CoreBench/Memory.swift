import CLinux
import Foundation

/// The bytes that the process has allocated and not freed. Nil if the allocator does not count
/// them, such as under a sanitizer.
func heldBytes() -> Int? {
  let bytes = Int(clinux_allocated_bytes())
  return bytes > 0 ? bytes : nil
}

func peakResidentMiB() throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  for line in status.split(separator: "\n") where line.hasPrefix("VmHWM:") {
    if let kibibytes = line.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) {
      return kibibytes / 1024
    }
  }
  throw BenchError("this system does not say how much memory the process holds")
}
