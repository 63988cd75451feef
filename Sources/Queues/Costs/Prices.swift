import Synchronization

// Simulates another device: an event of the storage core costs what it would cost there. Each
// thread has an account:
//
//   event ──▶ account: owes its price ──▶ pays by working, in one piece, before it releases
//                                         the queue, lock or transaction that it holds
//
// So the waits of other threads grow as they would on that device.

package enum PricedEvent: Int, CaseIterable, Sendable {
  case statement, rowDecoded, rowWritten, commit
  case fault, insert, pushUp
  /// An object that a merge refreshes or creates.
  case refresh
  /// A whole save or merge, besides its objects.
  case save, merge

  package struct Declaration: Sendable {
    /// As in the fields `costs.<name>_us`.
    package let name: String
    /// For sentences.
    package let phrase: String
    /// The core's own cost (Scenarios/devices/figures/core.yaml); nil if it was not measured apart.
    package let coreUs: Double?
    /// The events on main are the sum; empty if they are not counted.
    package let counters: [ActivityCounter]

    fileprivate init(
      _ name: String, _ phrase: String, coreUs: Double? = nil, _ counters: ActivityCounter...
    ) {
      (self.name, self.phrase, self.coreUs, self.counters) = (name, phrase, coreUs, counters)
    }
  }

  /// Fields, prices and sentences follow from it.
  package var declaration: Declaration {
    switch self {
    case .statement: Declaration("statement", "a statement", coreUs: 1, .statements)
    case .rowDecoded: Declaration("row_decoded", "a row read", coreUs: 0.45, .rowsRead)
    case .rowWritten: Declaration("row_written", "a row written", coreUs: 0.5, .rowsWritten)
    case .commit: Declaration("commit", "a commit", coreUs: 10, .commits)
    case .fault: Declaration("fault", "a fault", coreUs: 0.157, .faultsFired)
    case .insert: Declaration("insert", "an inserted object", coreUs: 0.44)
    case .pushUp: Declaration("push_up", "a push-up", coreUs: 0.199, .objectsCopied)
    case .refresh:
      Declaration(
        "refresh", "a merged object", coreUs: 0.292, .objectsRefreshed, .objectsCreated)
    case .save: Declaration("save", "a save as such")
    case .merge: Declaration("merge", "a merge as such")
    }
  }

  package var name: String { declaration.name }
}

/// The prices of a device. A queue charges the prices that were `current` at its creation.
package final class Prices: Sendable {
  @TaskLocal package static var current: Prices?

  package struct Counts: Sendable, Equatable {
    package internal(set) var main: [PricedEvent: Int] = [:]
    package internal(set) var others: [PricedEvent: Int] = [:]
  }

  fileprivate let nanoseconds: [Double]
  fileprivate let isCharging = Atomic(false)
  private let counted = Lock(Counts())

  /// The clock for threads that have no recorder yet.
  private let clock: any MonotonicClock

  package init(_ prices: [PricedEvent: Duration], clock: any MonotonicClock = SystemClock()) {
    self.clock = clock
    nanoseconds = PricedEvent.allCases.map { (prices[$0] ?? .zero) / .nanoseconds(1) }
  }

  /// Starts charging and counting anew: events before it cost nothing.
  package func open() {
    counted.withLock { $0 = Counts() }
    isCharging.store(true, ordering: .relaxed)
  }
  package func close() { isCharging.store(false, ordering: .relaxed) }

  package var counts: Counts { counted.withLock { $0 } }

  /// Gives the calling thread an account until it ends.
  func watchThread() {
    if Activity.recorder == nil { Activity.install(ActivityRecorder(clock: clock)) }
    Activity.recorder?.account = PriceAccount(self, isMain: false)
  }

  /// Runs `body`. Then the calling thread pays for the events of `body`.
  package func charging<R>(_ body: () throws -> R) rethrows -> R {
    let isWatched = Activity.recorder != nil
    if !isWatched { watchThread() }
    defer {
      Activity.pay()
      if !isWatched { Activity.install(nil) }
    }
    return try body()
  }

  fileprivate func note(_ events: [Int], isMain: Bool) {
    let side = isMain ? \Counts.main : \Counts.others
    counted.withLock { counts in
      for event in PricedEvent.allCases where events[event.rawValue] != 0 {
        counts[keyPath: side][event, default: 0] += events[event.rawValue]
      }
    }
  }
}

/// A thread's events and the time that it still has to work for them. Use it on that thread only.
final class PriceAccount {
  private let prices: Prices
  private let isMain: Bool
  private var events = [Int](repeating: 0, count: PricedEvent.allCases.count)
  private var owed = 0.0
  /// Nanoseconds paid since `open`.
  private(set) var paid: Int64 = 0
  /// How many slices of the thread are open.
  var depth = 0

  init(_ prices: Prices, isMain: Bool) {
    self.prices = prices
    self.isMain = isMain
  }

  func open() { paid = 0 }

  func charge(_ event: PricedEvent, _ amount: Int) {
    guard prices.isCharging.load(ordering: .relaxed) else { return }
    events[event.rawValue] += amount
    owed += prices.nanoseconds[event.rawValue] * Double(amount)
  }

  func charge(_ counter: ActivityCounter, _ amount: Int) {
    switch counter {
    case .statements: charge(.statement, amount)
    case .rowsRead: charge(.rowDecoded, amount)
    case .faultsFired: charge(.fault, amount)
    case .objectsRefreshed, .objectsCreated: charge(.refresh, amount)
    // Commits, written rows and pushes are charged elsewhere: earlier, or on more threads.
    case .commits, .rowsWritten, .objectsCopied, .listChanges: break
    }
  }

  /// The whole nanoseconds owed, which then count as paid.
  fileprivate func settle() -> Int64 {
    guard events.contains(where: { $0 != 0 }) else { return 0 }
    prices.note(events, isMain: isMain)
    for index in events.indices { events[index] = 0 }
    let time = Int64(owed)
    owed -= Double(time)
    paid += time
    return time
  }
}

extension ActivityRecorder {
  /// Pays by working. Never call it while holding a `Lock`.
  package final func pay() {
    guard let time = account?.settle(), time > 0 else { return }
    begin(.priced)
    clock.work(for: .nanoseconds(time))
    end()
  }

  /// Pays at the end of the outermost slice.
  final func leaveSlice() {
    guard let account else { return }
    if account.depth == 1 { pay() }
    account.depth -= 1
  }
}

extension Activity {
  package static func charge(_ event: PricedEvent, _ amount: Int = 1) {
    recorder?.account?.charge(event, amount)
  }

  package static func pay() { recorder?.pay() }
}
