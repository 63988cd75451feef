import Foundation
import Measurement
package import Queues

// What the ruler is held against: blocks of known length on main, which time themselves.
//
//   alone           ├──── L ────┤                     one gap, one busy period
//   back to back    ├─ L ─┼─ L ─┼─ L ─┤               queued at once: one gap of 3 L
//   chained         ├─ L ─┤├─ L ─┤├─ L ─┤             each queues the next: gaps of L, busy 3 L
//
// The blocks' own clock readings are the truth; nothing that the recorder says enters it.

/// Blocks of one length, put on the main queue in one way.
package struct SelfCheckCase: Sendable, Equatable {
  package enum Arrangement: String, Sendable, CaseIterable {
    case alone
    case backToBack = "back to back"
    case chained
  }

  package let length: Duration
  package let arrangement: Arrangement

  package init(_ length: Duration, _ arrangement: Arrangement) {
    self.length = length
    self.arrangement = arrangement
  }

  /// How many blocks.
  package var count: Int { arrangement == .alone ? 1 : 3 }

  package static let all: [SelfCheckCase] = Arrangement.allCases.flatMap { arrangement in
    [0.2, 1, 5, 17, 60, 300].map {
      SelfCheckCase(.nanoseconds(Int64($0 * 1e6)), arrangement)
    }
  }

  package var name: String { "\(length.milliseconds.formatted()) ms, \(arrangement.rawValue)" }
}

/// When a block really began and ended.
package struct GapSpan: Sendable, Equatable {
  package let start: Instant
  package let end: Instant

  package var duration: Duration { end - start }
}

/// A screen that is never up to date while blocks run, so that a frame is due at the next tick.
// @unchecked: confined to the main queue.
final class SelfCheckScreen: MainScreen, @unchecked Sendable {
  private(set) var frameNeededSince: Instant?
  let isScrolling = false

  func invalidate(at now: Instant) { frameNeededSince = now }
  func layoutAndCommit() { frameNeededSince = nil }
}

/// The blocks of a case, as they are put on main; collects what they were.
package final class SelfCheckBlocks: Sendable {
  private let work: SelfCheckCase
  private let main: SimulatedMainQueue
  private let occupy: @Sendable (Duration) -> Void
  private let found = Lock<[GapSpan]>([])

  /// - Parameter occupy: keeps the calling thread for this long.
  package init(
    _ work: SelfCheckCase, on main: SimulatedMainQueue,
    occupy: @escaping @Sendable (Duration) -> Void
  ) {
    self.work = work
    self.main = main
    self.occupy = occupy
  }

  package var spans: [GapSpan] { found.withLock { $0 } }

  /// Queues the blocks and then `done`. On main, so that what is queued at once runs in one turn.
  package func submit(then done: @escaping @Sendable () -> Void) {
    switch work.arrangement {
    case .alone, .backToBack:
      for _ in 0..<work.count { main.async { [self] in run() } }
      main.async(done)
    case .chained:
      chain(work.count, then: done)
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
    let span = GapSpan(start: start, end: main.clock.now())
    found.withLock { $0.append(span) }
  }
}
