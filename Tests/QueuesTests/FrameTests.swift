import Queues
import TestSupport
import Testing

@Suite("Frames")
struct FrameTests {
  @Test func `a frame is due at the next tick after a change, and late if main is held up`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock) {}
    main.queue.show(screen)
    let recording = main.record(untilMilliseconds: 100) { queue, clock in
      // ticks       10   20   30   40   50
      // changed at 3 ms: due at 10; main is held up until 33
      queue.async { clock.advance(by: .milliseconds(3)) }
      queue.async { screen.invalidate() }
      queue.async { clock.advance(by: .milliseconds(30)) }
    }
    #expect(recording.framesDue == 1 && recording.framesLate == 1)
    #expect(recording.frames.map(\.due) == [at(10)])
    #expect(recording.frames.map(\.presented) == [at(33)])
  }

  @Test func `while the list scrolls a frame is due at every tick, and a freeze drops frames`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock) {}
    screen.isScrolling = true
    main.queue.show(screen)
    screen.invalidate()
    let recording = main.record(untilMilliseconds: 95) { queue, clock in
      queue.schedule(at: at(25)) { clock.advance(by: .milliseconds(30)) }
    }
    // One frame presents 30, 40 and 50 at 55, after the freeze.
    #expect(recording.frames.map(\.presented) == [0, 10, 20, 55, 60, 70, 80, 90].map(at))
    #expect(recording.framesDue == 10)
    // The frames of 30 and 40. The one of 50 was on screen before 60.
    #expect(recording.framesLate == 2)
  }

  @Test func `a frame that was due before the window counts from the window's start`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock)
    main.queue.show(screen)
    main.queue.async { screen.invalidate() }
    main.queue.async { [queue = main.queue, clock = main.clock] in
      // ticks   0    10    20    30
      // due     ×    window ├──────┤ presented
      clock.advance(by: .milliseconds(20))
      queue.openWindow()
      clock.advance(by: .milliseconds(9))
    }
    main.run(untilMilliseconds: 40)
    let frames = main.queue.closeWindow(turning: main.clock).frames
    #expect(frames.map(\.due) == [at(20)])
    #expect(frames.map(\.presented) == [at(29)])
  }

  @Test func `frames due when the window closes are counted but not presented`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock)
    screen.isScrolling = true
    main.queue.show(screen)
    screen.invalidate()
    let recording = main.record(untilMilliseconds: 25) { queue, clock in
      queue.schedule(at: at(25)) { clock.advance(by: .milliseconds(30)) }
    }
    // Frames at 30, 40 and 50 come due while main is held up.
    #expect(recording.frames.count == 3)
    #expect(recording.framesDue == 6)
    #expect(recording.framesLate == 2)
  }

  @Test func `a commit that changes the displayed content is followed by another frame`() {
    let main = ManualMain(frameRate: 100, heartbeat: nil)
    let box = Lock<Screen?>(nil)
    let commits = Story<Int64>()
    let screen = Screen(clock: main.clock) { [clock = main.clock] in
      commits.tell(clock.now().nanoseconds / 1_000_000)
      clock.advance(by: .milliseconds(1))
      if commits.all.count < 3 { box.withLock { $0 }?.invalidate() }
    }
    box.withLock { $0 = screen }
    main.queue.show(screen)
    main.queue.async { [clock = main.clock] in
      clock.advance(by: .milliseconds(1))
      screen.invalidate()
    }
    main.run(untilMilliseconds: 100)
    box.withLock { $0 = nil }
    #expect(commits.all == [10, 20, 30])
  }
}
