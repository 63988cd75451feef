import CLinux
import Foundation
import Queues

package enum Machine {
  package static let unavailable = "unavailable"

  package static var build: String { isDebugBuild ? "debug" : "release" }

  package static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// A program can only test for a lowest compiler version.
  static var swiftVersion: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3.2 or later"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  static var architecture: String? {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      nil
    #endif
  }

  /// Of glibc.
  static var cLibrary: String? {
    let version = String(cString: clinux_c_library_version())
    return version.isEmpty ? nil : version
  }

  package static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  static var os: String? { name(ofSystem: ProcessInfo.processInfo.operatingSystemVersionString) }

  /// - Parameter text: Foundation's. It is the kernel's release if /etc/os-release cannot be read.
  static func name(ofSystem text: String) -> String? {
    text.wholeMatch(of: /Linux [0-9].*/) == nil ? text : nil
  }

  static var kernel: String? { text("/proc/sys/kernel/osrelease") }

  static var cpu: String? { field("model name", of: "/proc/cpuinfo") }

  static var governor: String? {
    text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
  }

  /// Whole MiB.
  static var memoryMiB: Double { Double(ProcessInfo.processInfo.physicalMemory / 1_048_576) }

  /// Over 1, 5 and 15 minutes.
  static var loadAverage: [Double]? {
    text("/proc/loadavg")?.split(separator: " ").prefix(3).compactMap { Double($0) }
  }

  /// The CPU time since boot that other guests of the host took.
  static var stealPercent: Double? {
    guard let now = ProcessorTimes.now, now.all > 0 else { return nil }
    return now.stolen / now.all * 100
  }

  /// The type of the longest mount point above the folder. If it is mounted twice, the last mount
  /// counts.
  static func fileSystem(of folder: URL) -> String? {
    let path = folder.resolvingSymlinksInPath().path
    return fileSystem(of: path, inMounts: text("/proc/self/mounts") ?? "")
  }

  static func fileSystem(of path: String, inMounts mounts: String) -> String? {
    let points = mounts.split(separator: "\n").reversed().compactMap { line in
      let fields = line.split(separator: " ")
      return fields.count > 2 ? (path: unescaped(fields[1]), type: String(fields[2])) : nil
    }
    let above = points.filter {
      path == $0.path || path.hasPrefix($0.path == "/" ? "/" : $0.path + "/")
    }
    return above.max { $0.path.utf8.count < $1.path.utf8.count }?.type
  }

  /// A list of mounts has spaces, tabs, line breaks and backslashes as octal numbers (proc(5)).
  private static func unescaped(_ field: Substring) -> String {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
    return escapes.reduce(String(field)) { $0.replacing($1.0, with: $1.1) }
  }

  /// How late a high-precision thread wakes from a wait of 1 ms: the median, in ms.
  static var wakeUpLatency: Double? {
    let clock = SystemClock()
    let late = (0..<21).map { _ -> Double in
      var wait = timespec(tv_sec: 0, tv_nsec: 1_000_000)
      let start = clock.now()
      nanosleep(&wait, nil)
      return (clock.now() - start).milliseconds - 1
    }
    return late.sorted()[10]
  }

  static func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  static func field(_ name: String, of path: String) -> String? {
    text(path)?.split(separator: "\n").first { $0.hasPrefix(name) }?
      .split(separator: ":").dropFirst().first?.trimmingCharacters(in: .whitespaces)
  }

  /// Converts a field in kB to MiB.
  static func mebibytes(_ name: String, of path: String) -> Double? {
    field(name, of: path)?.split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1024 }
  }

  /// The fields after the name in a stat file: the state comes first. The name may hold any
  /// character.
  static func fields(ofStat stat: String) -> [Substring] {
    guard let end = stat.lastIndex(of: ")") else { return [] }
    return stat[stat.index(after: end)...].split(separator: " ")
  }

  /// A hash of a file's bytes, not cryptographic, in hexadecimal.
  ///
  /// - Throws: Foundation's error if the file cannot be read.
  static func digest(of file: String) throws -> String {
    let data = try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)
    let hash = data.withUnsafeBytes { clinux_hash($0.baseAddress, UInt($0.count)) }
    return String(hash, radix: 16)
  }

  /// The versions of the packages in this program, as Package.swift pins them.
  static let dependencies = [
    "GRDB.swift": "7.10.0", "Yams": "6.2.2", "swift-argument-parser": "1.8.2",
    "swift-collections": "1.6.0", "swift-system": "1.8.1",
  ]
}
