import CInterleaving
import Foundation

/// The order of a trial's threads: the choices that differ from the usual ones. Usually the current
/// thread goes on if it can, otherwise the oldest one that can.
struct Schedule: Sendable, CustomStringConvertible {
  struct Choice: Sendable, Equatable {
    let step: UInt32
    let thread: Int32
  }

  var choices: [Choice] = []

  /// `12:3,40:1` chooses thread 3 at step 12 and thread 1 at step 40.
  init?(_ text: String) {
    for part in text.split(separator: ",") where part != "usual" {
      let numbers = part.split(separator: ":").compactMap { Int32($0) }
      guard numbers.count == 2, numbers[0] > 0, numbers[1] >= 0 else { return nil }
      choices.append(Choice(step: UInt32(numbers[0]), thread: numbers[1]))
    }
  }

  init(_ choices: [Choice] = []) { self.choices = choices }

  var description: String {
    choices.isEmpty
      ? "usual" : choices.map { "\($0.step):\($0.thread)" }.joined(separator: ",")
  }
}

/// Decides which thread runs at the choice points of a trial.
enum Decider: Sendable {
  /// Probabilistic concurrency testing (Burckhardt and others: "A Randomized Scheduler with
  /// Probabilistic Guarantees of Finding Bugs", ASPLOS 2010).
  case random(seed: UInt64, depth: Int, steps: Int)
  case schedule(Schedule)
}

extension cinterleaving_branch {
  var usual: Int32 { current >= 0 ? current : Int32(enabled.trailingZeroBitCount) }
  var choice: Schedule.Choice { Schedule.Choice(step: step, thread: chosen) }
}

/// The result of a trial.
struct Run: Sendable {
  let outcome: cinterleaving_outcome
  let steps: Int
  let threads: Int
  let left: Int
  let fingerprint: UInt64
  let branches: [cinterleaving_branch]

  init(_ result: cinterleaving_result) {
    outcome = result.outcome
    (steps, threads) = (Int(result.steps), Int(result.threads))
    left = Int(result.left)
    fingerprint = result.fingerprint
    let count = Int(result.branch_count)
    branches = Array(UnsafeBufferPointer(start: result.branches, count: count))
  }

  var schedule: Schedule {
    Schedule(branches.filter { $0.chosen != $0.usual }.map(\.choice))
  }

  /// Runs `body` on a thread of its own, one thread at a time.
  static func of(_ decider: Decider, _ body: @escaping () -> Void) -> Run {
    let box = Unmanaged.passRetained(Box(body))
    defer { box.release() }
    func run(_ schedule: cinterleaving_schedule) -> Run {
      withUnsafePointer(to: schedule) {
        Run(
          cinterleaving_run(
            $0, { Unmanaged<Box>.fromOpaque($0!).takeUnretainedValue().body() }, box.toOpaque()))
      }
    }
    var schedule = cinterleaving_schedule()
    schedule.most_steps = 200_000
    switch decider {
    case .random(let seed, let depth, let steps):
      (schedule.is_random, schedule.seed) = (true, seed)
      (schedule.depth, schedule.steps) = (UInt32(depth), UInt32(max(1, steps)))
      return run(schedule)
    case .schedule(let given):
      let choices = given.choices.map { cinterleaving_choice(step: $0.step, thread: $0.thread) }
      return choices.withUnsafeBufferPointer {
        (schedule.choices, schedule.choice_count) = ($0.baseAddress, UInt32($0.count))
        return run(schedule)
      }
    }
  }

  private final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
}

/// Visits every schedule with at most so many preemptions, depth first. A preemption stops a thread
/// that could go on.
struct Exploration {
  let mostPreemptions: Int
  private var path: [(branch: cinterleaving_branch, untried: [Int32])] = []
  private(set) var isComplete = false

  init(mostPreemptions: Int) { self.mostPreemptions = mostPreemptions }

  var next: Schedule {
    Schedule(path.map(\.branch).filter { $0.chosen != $0.usual }.map(\.choice))
  }

  /// Learns from the run of `next`, and goes on to another one.
  mutating func learn(_ run: Run) {
    let isRepeated = zip(path, run.branches).allSatisfy { $0.branch.choice == $1.choice }
    precondition(run.branches.count >= path.count && isRepeated, "a schedule did not repeat")
    var preemptions = path.count { Self.isPreemption($0.branch) }
    for branch in run.branches.dropFirst(path.count) {
      let others = (0..<Int32(64)).filter { branch.enabled & 1 << $0 != 0 && $0 != branch.chosen }
      let mayPreempt = branch.current < 0 || preemptions < mostPreemptions
      path.append((branch, mayPreempt ? others : []))
      preemptions += Self.isPreemption(branch) ? 1 : 0
    }
    while let last = path.popLast() {
      guard let thread = last.untried.first else { continue }
      var branch = last.branch
      branch.chosen = thread
      path.append((branch, Array(last.untried.dropFirst())))
      return
    }
    isComplete = true
  }

  private static func isPreemption(_ branch: cinterleaving_branch) -> Bool {
    branch.current >= 0 && branch.chosen != branch.current
  }
}
