import Queues
import TestSupport
import Testing

@Suite("A turn of the main queue")
struct TurnTests {
  @Test func `a turn serves events, then blocks, then pending changes, then a frame`() {
    let main = ManualMain()
    let events = Story<String>()
    let screen = Screen(clock: main.clock) { events.tell("frame") }
    main.queue.show(screen)
    _ = main.queue.addPendingChangesObserver { events.tell("changes") }
    main.queue.schedule(at: at(0)) { events.tell("event") }
    main.queue.async {
      events.tell("block")
      screen.invalidate()
      main.clock.advance(by: .milliseconds(20))
      main.queue.async { events.tell("next turn") }
    }
    main.run(untilMilliseconds: 0)
    #expect(events.all.prefix(5) == ["event", "block", "changes", "frame", "next turn"])
  }

  @Test func `a removed observer of pending changes is not called`() {
    let main = ManualMain(heartbeat: nil)
    let events = Story<String>()
    let removed = main.queue.addPendingChangesObserver { events.tell("removed") }
    _ = main.queue.addPendingChangesObserver { events.tell("kept") }
    main.queue.async { events.tell("block") }
    main.run(untilMilliseconds: 0)
    #expect(events.all == ["block", "removed", "kept"])
    main.queue.removePendingChangesObserver(removed)
    main.queue.async { events.tell("block") }
    main.run(untilMilliseconds: 0)
    #expect(events.all.dropFirst(3) == ["block", "kept"])
  }

  @Test func `a block submitted in a turn runs in the next, after events due meanwhile`() {
    let main = ManualMain()
    let events = Story<String>()
    main.queue.schedule(at: Instant(nanoseconds: 500_000)) { events.tell("tap") }
    main.queue.async { [queue = main.queue, clock = main.clock] in
      queue.async { events.tell("next turn") }
      clock.advance(by: .milliseconds(1))
      events.tell("first")
    }
    main.queue.async { events.tell("second") }
    main.run(untilMilliseconds: 2)
    #expect(events.all == ["first", "second", "tap", "next turn"])
  }

  @Test func `events are served by time, then by submission`() {
    let main = ManualMain(heartbeat: nil)
    let events = Story<Int>()
    for (number, due) in [(3, 30), (1, 10), (4, 30), (2, 20), (5, 30)] as [(Int, Int64)] {
      main.queue.schedule(at: at(due)) { events.tell(number) }
    }
    main.run(untilMilliseconds: 31)
    #expect(events.all == [1, 2, 3, 4, 5])
  }

  @Test func `a block's captured objects are released before the next block runs`() {
    final class Held: Sendable {
      let events: Story<String>
      init(_ events: Story<String>) { self.events = events }
      deinit { events.tell("gone") }
    }
    let main = ManualMain()
    let events = Story<String>()
    main.queue.async { [held = Held(events)] in held.events.tell("first") }
    main.queue.async { events.tell("second") }
    main.run(untilMilliseconds: 0)
    #expect(events.all == ["first", "gone", "second"])
  }

  @Test func `on main, sync runs inline and async does not`() {
    let main = ManualMain()
    let events = Story<String>()
    main.queue.async { [queue = main.queue] in
      queue.async { events.tell("async") }
      queue.sync { events.tell(queue.isCurrent ? "sync" : "elsewhere") }
    }
    #expect(!main.queue.isCurrent)
    main.run(untilMilliseconds: 0)
    #expect(events.all == ["sync", "async"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a deallocated screen needs no frame`() {
    let main = ManualMain()
    do {
      let screen = Screen(clock: main.clock)
      main.queue.show(screen)
      main.queue.async { [clock = main.clock] in
        clock.advance(by: .milliseconds(1))
        screen.invalidate()
      }
      // Due at the tick of 16.7 ms; the screen is deallocated before.
      main.run(untilMilliseconds: 2)
    }
    main.run(untilMilliseconds: 100)
    #expect(main.clock.now() == at(100))
  }
}
