import Foundation
import Queues

// The self-check runs blocks of known length on main, which time themselves:
//
//   alone           ├──── L ────┤                     one gap, one busy period
//   back to back    ├─ L ─┼─ L ─┼─ L ─┤               queued at once: one gap of 3 L
//   chained         ├─ L ─┤├─ L ─┤├─ L ─┤             each queues the next: gaps of L, busy 3 L
//
// The blocks' own clock readings are the truth. They do not use the recorder.

struct SelfCheckCase: Sendable, Equatable {
  enum Arrangement: String, Sendable, CaseIterable {
    case alone
    case backToBack = "back to back"
    case chained
  }

  let length: Duration
  let arrangement: Arrangement

  var count: Int { arrangement == .alone ? 1 : 3 }

  static let all: [SelfCheckCase] = Arrangement.allCases.flatMap { arrangement in
    [0.2, 1, 5, 17, 60, 300].map {
      SelfCheckCase(length: .nanoseconds(Int64($0 * 1e6)), arrangement: arrangement)
    }
  }

  var name: String { "\(length.milliseconds.formatted()) ms, \(arrangement.rawValue)" }
}

struct BlockSpan: Sendable, Equatable {
  let start: Instant
  let end: Instant

  var duration: Duration { end - start }
}

/// Needs a frame while blocks run, so that a frame is due at the next tick.
// @unchecked: confined to the main queue.
final class SelfCheckScreen: MainScreen, @unchecked Sendable {
  private(set) var frameNeededSince: Instant?
  let isScrolling = false

  func invalidate(at now: Instant) { frameNeededSince = now }
  func layoutAndCommit() { frameNeededSince = nil }
}

final class SelfCheckBlocks: Sendable {
  private let work: SelfCheckCase
  private let main: SimulatedMainQueue
  private let occupy: @Sendable (Duration) -> Void
  private let found = Lock<[BlockSpan]>([])

  init(
    _ work: SelfCheckCase, on main: SimulatedMainQueue,
    occupy: @escaping @Sendable (Duration) -> Void
  ) {
    self.work = work
    self.main = main
    self.occupy = occupy
  }

  var spans: [BlockSpan] { found.withLock { $0 } }

  /// Queues the blocks and then `done`. Call on main: blocks queued together run in one turn.
  func submit(then done: @escaping @Sendable () -> Void) {
    switch work.arrangement {
    case .alone, .backToBack:
      for _ in 0..<work.count { main.async { [self] in run() } }
      main.async(done)
    case .chained: chain(work.count, then: done)
    }
  }

  private func chain(_ count: Int, then done: @escaping @Sendable () -> Void) {
    guard count > 0 else { return main.async(done) }
    main.async { [self] in
      run()
      chain(count - 1, then: done)
    }
  }

  private func run() {
    let start = main.clock.now()
    occupy(work.length)
    let span = BlockSpan(start: start, end: main.clock.now())
    found.withLock { $0.append(span) }
  }
}
