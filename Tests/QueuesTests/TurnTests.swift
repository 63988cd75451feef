import Queues
import Testing

@Suite("A turn of the main queue")
struct TurnTests {
  @Test func `a turn serves events, then blocks, then pending changes, then a frame`() {
    let main = ManualMain()
    let story = Lock<[String]>([])
    let screen = Screen(clock: main.clock) { story.withLock { $0.append("frame") } }
    main.queue.show(screen)
    main.queue.addPendingChangesObserver { story.withLock { $0.append("changes") } }
    main.queue.schedule(at: Instant(nanoseconds: 0)) { story.withLock { $0.append("event") } }
    main.queue.async {
      story.withLock { $0.append("block") }
      screen.invalidate()
      main.clock.advance(by: .milliseconds(20))
      main.queue.async { story.withLock { $0.append("next turn") } }
    }
    main.run(untilMilliseconds: 0)
    #expect(
      story.withLock { Array($0.prefix(4)) } == ["event", "block", "changes", "frame"])
    #expect(story.withLock { $0.firstIndex(of: "next turn")! } == 4)
  }

  @Test func `events are served by their time, those of one time in the order they came`() {
    let main = ManualMain()
    let story = Lock<[String]>([])
    for (due, name) in [(3, "d"), (1, "a"), (2, "b"), (2, "c"), (9, "never")] {
      main.queue.schedule(at: Instant(nanoseconds: Int64(due))) {
        story.withLock { $0.append(name) }
      }
    }
    main.queue.run(turning: main.clock, until: Instant(nanoseconds: 5))
    #expect(story.withLock { $0 } == ["a", "b", "c", "d"])
  }

  @Test func `a block submitted in a turn runs in the next, after the events due meanwhile`() {
    let main = ManualMain()
    let story = Story<String>()
    main.queue.schedule(at: Instant(nanoseconds: 500_000)) { story.tell("tap") }
    main.queue.async { [queue = main.queue, clock = main.clock] in
      queue.async { story.tell("next turn") }
      clock.advance(by: .milliseconds(1))
      story.tell("first")
    }
    main.queue.async { story.tell("second") }
    main.run(untilMilliseconds: 2)
    #expect(story.all == ["first", "second", "tap", "next turn"])
  }

  @Test func `events are served in order of their time, and of submission where that is equal`() {
    let main = ManualMain(heartbeat: nil)
    let story = Story<Int>()
    for (number, due) in [(3, 30), (1, 10), (4, 30), (2, 20), (5, 30)] as [(Int, Int64)] {
      main.queue.schedule(at: Instant(nanoseconds: due * 1_000_000)) { story.tell(number) }
    }
    main.run(untilMilliseconds: 31)
    #expect(story.all == [1, 2, 3, 4, 5])
  }

  @Test func `a block goes, with what it holds, before the next one runs`() {
    final class Held: Sendable {
      let story: Story<String>
      init(_ story: Story<String>) { self.story = story }
      deinit { story.tell("gone") }
    }
    let main = ManualMain()
    let story = Story<String>()
    main.queue.async { [held = Held(story)] in held.story.tell("first") }
    main.queue.async { story.tell("second") }
    main.run(untilMilliseconds: 0)
    #expect(story.all == ["first", "gone", "second"])
  }

  @Test func `on main, sync runs inline and async does not`() {
    let main = ManualMain()
    let story = Story<String>()
    main.queue.async { [queue = main.queue] in
      queue.async { story.tell("async") }
      queue.sync { story.tell(queue.isCurrent ? "sync" : "elsewhere") }
    }
    #expect(!main.queue.isCurrent)
    main.run(untilMilliseconds: 0)
    #expect(story.all == ["sync", "async"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a screen that is gone needs no frame`() {
    let main = ManualMain()
    do {
      let screen = Screen(clock: main.clock)
      main.queue.show(screen)
      main.queue.async { [clock = main.clock] in
        clock.advance(by: .milliseconds(1))
        screen.invalidate()
      }
      // Due at the tick of 16.7 ms, which it does not live to see.
      main.run(untilMilliseconds: 2)
    }
    main.run(untilMilliseconds: 100)
    #expect(main.clock.now() == Instant(nanoseconds: 100_000_000))
  }
}
