import ArgumentParser
import Foundation
import Support

/// One failing call, written as `run:0:openat:a.csv:1:EIO`.
struct CallFault: CustomStringConvertible {
  enum Target: String, CaseIterable {
    /// A run, of which the runner or a cell fails.
    case run
    /// A cell alone, as a runner would start it.
    case cell
  }

  enum Failure: String, CaseIterable, ExpressibleByArgument {
    case EIO, ENOSPC, EINTR, EMFILE, EAGAIN

    var number: Int32 {
      switch self {
      case .EIO: Foundation.EIO
      case .ENOSPC: Foundation.ENOSPC
      case .EINTR: Foundation.EINTR
      case .EMFILE: Foundation.EMFILE
      case .EAGAIN: Foundation.EAGAIN
      }
    }
  }

  static let calls = [
    "openat", "write", "fsync", "rename", "mmap", "clone", "clone3", "pipe2", "poll", "pread64",
    "pwrite64", "fdatasync",
  ]

  let target: Target
  let call: CountedCall
  let failure: Failure

  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let target = parts.first.flatMap({ Target(rawValue: String($0)) }),
      let call = CountedCall(parts.dropFirst().dropLast().joined(separator: ":")),
      let failure = parts.last.flatMap({ Failure(rawValue: String($0)) })
    else { return nil }
    (self.target, self.call, self.failure) = (target, call, failure)
  }

  /// Of the runner, of a cell that it starts, or of a cell alone.
  init?(_ counts: [Target: CallCounts], using random: inout SplitMix64) {
    let (target, processes) = [(Target.run, 0...0), (.run, 1...CallTrial.trials), (.cell, 0...0)][
      random.next(below: 3)]
    failure = Failure.allCases[random.next(below: Failure.allCases.count)]
    guard
      let call = counts[target]?.call(of: Self.calls, in: processes, using: &random)
    else { return nil }
    (self.target, self.call) = (target, call)
  }

  var description: String { "\(target):\(call):\(failure)" }

  /// Options of `harness-soak trace`.
  var tracing: [String] { ["--at", "\(call)", "--error", failure.rawValue] }
}
