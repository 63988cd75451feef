import Foundation
import Support

/// The n-th call of each thread fails: `runner/openat/17/EIO`.
struct CallFault: CustomStringConvertible {
  enum Target: String, CaseIterable {
    /// The cells are not traced.
    case runner
    /// Alone, as a runner would start it.
    case cell
    /// A run with its cells.
    case both
  }

  static let calls = [
    "openat", "write", "fsync", "rename", "mmap", "clone", "clone3", "pipe2", "poll", "pread64",
    "pwrite64", "fdatasync",
  ]
  static let errors = ["EIO", "ENOSPC", "EINTR", "EMFILE", "EAGAIN"]

  let target: Target
  let call: String
  let number: Int
  let error: String

  init?(_ text: String) {
    let parts = text.split(separator: "/").map(String.init)
    guard parts.count == 4, let target = Target(rawValue: parts[0]), let number = Int(parts[2])
    else { return nil }
    (self.target, call, self.number, error) = (target, parts[1], number, parts[3])
  }

  init(_ counts: CallCounts, using random: inout SplitMix64) {
    target = Target.allCases[random.next(below: 3)]
    let counts = (counts[target] ?? [:]).sorted { $0.key < $1.key }
    let (call, most) = counts[random.next(below: counts.count)]
    self.call = call
    // A run counts some of its calls by time.
    number = 1 + random.next(below: min(most, 1000))
    error = Self.errors[random.next(below: Self.errors.count)]
  }

  var description: String { "\(target)/\(call)/\(number)/\(error)" }

  var arguments: [String] {
    Strace.arguments(of: target, tracing: [call])
      + ["-e", "inject=\(call):error=\(error):when=\(number)"]
  }
}

/// By target and call: the most calls of one thread.
typealias CallCounts = [CallFault.Target: [String: Int]]

/// Debian's `strace`.
enum Strace {
  static let path = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// - Returns: why nothing can be traced; nil if something can.
  static func problem(in place: TrialPlace) throws -> String? {
    guard let path else { return "strace is absent; type: sudo apt-get install -y strace" }
    let traced = try StartedCommand(
      arguments(of: .runner, tracing: ["openat"]) + ["/bin/true"], program: path, in: place)
    return traced.awaitEnd() == .status(0) ? nil : "tracing is forbidden here: \(traced.said)"
  }

  /// To be followed by the traced command.
  static func arguments(of target: CallFault.Target, tracing calls: [String]) -> [String] {
    ["-f", "-qq", "-y", "-o", "trace.log", "-e", "trace=\(calls.joined(separator: ","))"]
      + (target == .runner ? ["-b", "execve"] : [])
  }

  /// - Returns: the calls that were made to fail, each with its thread, arguments and files.
  static func failedCalls(in place: TrialPlace) -> [String] {
    String(decoding: place.bytes("trace.log"), as: UTF8.self).split(separator: "\n")
      .filter { $0.contains("(INJECTED)") }.map(String.init)
  }

  /// - Returns: the most calls of each kind of one thread, of those that the trace has.
  static func counts(in place: TrialPlace) -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in String(decoding: place.bytes("trace.log"), as: UTF8.self).split(separator: "\n") {
      // `1234  openat(AT_FDCWD, …`. What continues a call is no other one.
      if let name = line.prefixMatch(of: /[0-9]+ +[a-z0-9]+\(/) {
        counts[String(name.output), default: 0] += 1
      }
    }
    var most: [String: Int] = [:]
    for (thread, count) in counts {
      let name = String(thread.split(separator: " ").last?.dropLast() ?? "")
      most[name] = max(most[name] ?? 0, count)
    }
    return most
  }
}
