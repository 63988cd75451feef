import ArgumentParser
import Foundation
import Support

/// A disturbance of a command: before one of its calls, some of its processes get a signal.
struct Ending: CustomStringConvertible {
  enum Signal: String, CaseIterable, ExpressibleByArgument {
    case kill, terminate, interrupt, hangUp = "hang-up"
    /// Stopped, and continued after a while.
    case pause
    /// Stopped, then killed.
    case stopAndKill = "stop-and-kill"
    /// Stopped, terminated, and continued.
    case stopAndTerminate = "stop-and-terminate"

    var numbers: [Int32] {
      switch self {
      case .kill: [SIGKILL]
      case .terminate: [SIGTERM]
      case .interrupt: [SIGINT]
      case .hangUp: [SIGHUP]
      case .pause: [SIGSTOP, SIGCONT]
      case .stopAndKill: [SIGSTOP, SIGKILL]
      case .stopAndTerminate: [SIGSTOP, SIGTERM, SIGCONT]
      }
    }

    /// Whether the signal can end a cell. A started cell ignores SIGTERM, SIGINT and SIGHUP.
    var endsProcesses: Bool { self != .pause }
  }

  enum Target: String, CaseIterable, ExpressibleByArgument {
    case runner
    /// All processes but the runner. The call is one of theirs.
    case cell
    /// The runner's process group at once, as a terminal's Ctrl-C ends it. A cell leaves this group
    /// while it is spawned.
    case group
    /// The cell, then the runner.
    case everyone

    var includesCells: Bool { self == .cell || self == .everyone }
  }

  let call: CountedCall
  let signal: Signal
  let target: Target
  /// Between a stop and what follows.
  let microseconds: Int

  /// - Parameters:
  ///   - counts: of the undisturbed command.
  ///   - processes: how many the command starts.
  init?(_ counts: CallCounts, processes: Int, using random: inout SplitMix64) {
    signal = Signal.allCases[random.next(below: Signal.allCases.count)]
    let target = Target.allCases[random.next(below: Target.allCases.count)]
    self.target = processes > 0 || target == .group ? target : .runner
    microseconds = random.next(below: 20_000)
    let first = self.target == .cell ? 1 : 0
    guard
      let call = counts.call(of: TracedCommand.names, in: first...processes, using: &random)
    else { return nil }
    self.call = call
  }

  var description: String { "\(signal.rawValue) of \(target) before \(call)" }

  /// Options of `harness-soak trace`.
  var tracing: [String] {
    [
      "--at", "\(call)", "--signal", signal.rawValue, "--target", target.rawValue,
      "--pause", "\(microseconds)",
    ]
  }
}
