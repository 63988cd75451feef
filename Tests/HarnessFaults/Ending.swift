import Foundation
import Support

/// A disturbance of a command: after so many changes of its files or so much time, one of its
/// processes gets a signal.
struct Ending: CustomStringConvertible {
  /// Shares of what the undisturbed command does.
  enum Moment {
    case changes(Double), time(Double)
  }

  enum Signal: CaseIterable {
    case kill, terminate, interrupt, hangUp
    /// Stopped, and continued after a while.
    case pause
    /// Stopped, then killed.
    case stopAndKill
    /// Stopped, terminated, and continued.
    case stopAndTerminate

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

  enum Target: CaseIterable {
    case runner, cell
    /// The runner's process group at once, as a terminal's Ctrl-C ends it. A cell leaves this group
    /// while it is spawned.
    case group
    /// The cell, then the runner.
    case everyone

    var includesCells: Bool { self == .cell || self == .everyone }
  }

  let moment: Moment
  /// After the moment.
  let microseconds: Int
  let signal: Signal
  let target: Target
  /// Between a stop and what follows.
  let pause: Duration

  /// - Parameter hasCells: whether the command starts other processes.
  init(hasCells: Bool, using random: inout SplitMix64) {
    let share = Double(random.next(below: 1000)) / 1000
    moment = random.nextBool() ? .changes(share) : .time(share)
    microseconds = random.next(below: 2000)
    signal = Signal.allCases[random.next(below: Signal.allCases.count)]
    let target = Target.allCases[random.next(below: Target.allCases.count)]
    self.target = hasCells || target == .group ? target : .runner
    pause = .microseconds(random.next(below: 20_000))
  }

  var description: String { "\(signal) of \(target) at \(moment) + \(microseconds) µs" }
}
