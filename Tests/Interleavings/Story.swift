import CInterleaving
import Queues

/// What several threads do at the same time, and what must hold in every order.
struct Story: Sendable {
  enum Body: Sendable {
    case thread(@Sendable (Checks) throws -> Void)
    case task(@Sendable (Checks) async throws -> Void)
  }

  let name: String
  /// Whether every schedule with few preemptions can be visited.
  var isSmall = false
  /// Called outside of the trial.
  var prepare: @Sendable () throws -> Void = {}
  let body: Body

  static var all: [Story] { queues + storage + objectStores + topologies }

  /// Runs the story once.
  func tell(_ decider: Decider) throws -> (run: Run, checks: Checks) {
    try prepare()
    let checks = Checks()
    let run = Run.of(decider) {
      switch body {
      case .thread(let body): checks.run { try body(checks) }
      case .task(let body):
        let isDone = ChargedSemaphore(value: 0)
        Task.detached {
          do { try await body(checks) } catch { checks.fail("\(error)") }
          isDone.signal()
        }
        isDone.wait(as: .other)
      }
    }
    switch run.outcome {
    case cinterleaving_deadlock: checks.fail("the threads wait for ever")
    case cinterleaving_endless: checks.fail("no end after \(run.steps) steps")
    default: if run.left > 0 { checks.fail("\(run.left) threads are left") }
    }
    return (run, checks)
  }
}

/// The trial in progress, for the report of a crash.
struct Trial: Sendable {
  /// The options that draw a story's schedules.
  struct Drawing {
    let seed: UInt64
    /// Nil for 1 to 3 in turn.
    let depth: Int?

    var options: String { "--seed \(seed)" + (depth.map { " --depth \($0)" } ?? "") }
  }

  let story: String
  /// Nil if the schedule was not drawn.
  let drawing: Drawing?
  /// From 1.
  let number: Int

  static let current = Lock<Trial?>(nil)
}

/// Collects what went wrong in a trial. Any thread may use it.
final class Checks: Sendable {
  private let found = Lock<[String]>([])
  private let exact = Lock<[String: Int]>([:])

  var problems: [String] { found.withLock { $0 } }
  /// Numbers that every schedule must agree on.
  var counts: [String: Int] { exact.withLock { $0 } }

  func fail(_ problem: String) { found.withLock { $0.append(problem) } }

  func count(_ name: String, _ count: Int) { exact.withLock { $0[name] = count } }

  func expect<T: Equatable>(_ what: String, _ found: T, _ expected: T) {
    if found != expected { fail("\(what): \(found), not \(expected)") }
  }

  func run(_ body: () throws -> Void) {
    do { try body() } catch { fail("\(error)") }
  }

  /// Other threads may come between from here to `end`.
  func begin() { cinterleaving_begin_choices() }
  func end() { cinterleaving_end_choices() }
  func letOthersFinish() { cinterleaving_let_others_finish() }
}
