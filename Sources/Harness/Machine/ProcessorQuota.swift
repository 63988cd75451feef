/// As in `docker run --cpus 2`.
enum ProcessorQuota {
  /// In processors; nil without a limit, or if the system reports none.
  static var now: Double? {
    Machine.text("/proc/self/cgroup").flatMap { least(of: $0) { Machine.text($0) } }
  }

  /// The lowest limit of this process's groups and their parents, in cgroups v1 and v2.
  ///
  /// - Parameters:
  ///   - groups: the text of /proc/self/cgroup, with lines `number:controllers:path`.
  ///   - read: returns a file's text, or nil without a file.
  static func least(of groups: String, read: (String) -> String?) -> Double? {
    let limits = groups.split(separator: "\n").flatMap { line -> [Double] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      let folders = around(String(parts[2]))
      if parts[0] == "0", parts[1].isEmpty {
        return folders.compactMap { read("/sys/fs/cgroup\($0)/cpu.max").flatMap(limit) }
      }
      guard parts[1].split(separator: ",").contains("cpu") else { return [] }
      return folders.compactMap { folder in
        let files = ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
        let texts = files.compactMap { read("/sys/fs/cgroup/cpu\(folder)/\($0)") }
        return limit(texts.joined(separator: " "))
      }
    }
    return limits.min()
  }

  /// `/a/b`, `/a` and the empty path.
  private static func around(_ path: String) -> [String] {
    let names = path.split(separator: "/")
    return (0...names.count).reversed().map { count in
      names.prefix(count).map { "/\($0)" }.joined()
    }
  }

  /// Parses `quota period`. Without a limit the quota is `max` or -1.
  private static func limit(_ text: String) -> Double? {
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
    return numbers[0] / numbers[1]
  }
}
