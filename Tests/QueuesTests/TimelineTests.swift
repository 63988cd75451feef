import Support
import Queues
import TestSupport
import Testing

@Suite("A timeline")
struct TimelineTests {
  private let clock = ManualClock()

  private func main(_ timeline: Timeline?) -> SimulatedMainQueue {
    Timeline.$current.withValue(timeline) { SimulatedMainQueue(clock: clock, heartbeat: nil) }
  }

  private func record(
    _ queue: SimulatedMainQueue, isRecorded: Bool = true, until end: Int64 = 100,
    _ submit: (SimulatedMainQueue) -> Void
  ) -> MainQueueRecording {
    queue.async { queue.openWindow(isRecorded: isRecorded) }
    queue.run(turning: clock, until: clock.now())
    submit(queue)
    queue.run(turning: clock, until: at(end))
    return queue.closeWindow(turning: clock)
  }

  private func formatted(_ tape: RecordedWindow.Tape?) -> [String] {
    (tape?.events ?? []).map { event in
      let tag = event.mark == .slice ? SliceTag(rawValue: Int(event.code))?.name : nil
      return "\(event.time / 1_000_000) \(tag ?? "\(event.mark)")"
    }
  }

  @Test func `main's tape has its slices and waits at the ledger's times`() {
    let timeline = Timeline(clock: clock)
    _ = record(main(timeline)) { [clock] queue in
      queue.async {
        Activity.slice(.save) {
          clock.advance(by: .milliseconds(2))
          Activity.waiting(for: .sqlite) { clock.advance(by: .milliseconds(3)) }
        }
      }
    }
    let events = formatted(timeline.recorded.tape(.main))
    #expect(Array(events.prefix(3)) == ["0 harness", "0 end", "0 harness"])
    #expect(events.dropFirst(3).prefix(5) == ["0 carries", "0 save", "2 wait", "5 end", "5 end"])
    #expect(timeline.recorded.closed - timeline.recorded.opened == .milliseconds(100))
  }

  @Test func `an unrecorded window and the time outside windows leave no events`() {
    let timeline = Timeline(clock: clock)
    let queue = main(timeline)
    queue.async { Activity.slice(.save) {} }
    _ = record(queue, isRecorded: false) { queue in queue.async { Activity.slice(.save) {} } }
    #expect(timeline.recorded.tapes.allSatisfy { $0.events.isEmpty && $0.dropped == 0 })
  }

  @Test func `a queue created without a timeline has no recorder on its thread`() {
    let queue = PrivateQueue(label: "plain")
    let gate = Gate()
    let isWatched = Lock(true)
    queue.async {
      isWatched.withLock { $0 = Activity.recorder != nil }
      gate.open()
    }
    gate.wait()
    #expect(!isWatched.withLock { $0 })
  }

  @Test func `a recorded window does not read the clock more often for its slices`() {
    func readings(_ timeline: Timeline?) -> Int {
      let clock = CountingClock()
      let recorder = MainRecorder(clock: clock)
      let thread = timeline.map { ThreadTimeline($0, .main) }
      recorder.open(at: clock.now(), writing: thread)
      for _ in 0..<10 {
        recorder.begin(.fetch)
        recorder.end()
      }
      return clock.readings
    }
    #expect(readings(Timeline(clock: CountingClock())) == readings(nil))
  }

  @Test func `events without room are counted, and no later event is written`() {
    let timeline = Timeline(clock: clock, capacity: 256)
    _ = record(main(timeline)) { queue in
      queue.async { for _ in 0..<1000 { Activity.slice(.fault) {} } }
    }
    // The window's own slices, and two events for each requested slice.
    let full = Timeline(clock: clock)
    _ = record(main(full), until: 200) { queue in
      queue.async { for _ in 0..<1000 { Activity.slice(.fault) {} } }
    }
    let (cut, whole) = (timeline.recorded, full.recorded)
    let count = { (window: RecordedWindow) in
      window.tapes.reduce(0) { $0 + $1.events.count + $1.dropped }
    }
    #expect(cut.tapes.reduce(0) { $0 + $1.events.count } <= 256)
    #expect(cut.tapes.reduce(0) { $0 + $1.dropped } > 1700)
    #expect(count(cut) == count(whole))
    #expect(whole.tapes.allSatisfy { $0.dropped == 0 })
  }

  @Test func `the line's length is recorded when a block joins and when it leaves`() {
    let timeline = Timeline(clock: clock)
    _ = record(main(timeline)) { queue in
      queue.async {}
      queue.async {}
    }
    let depths = timeline.recorded.tape(.mainDepth)?.events.map(\.value) ?? []
    #expect(depths.prefix(3) == [1, 2, 0])
  }
}

// MARK: - Sums

extension TimelineTests {
  private func work(_ numbers: inout SplitMix64, depth: Int = 0) {
    for _ in 0..<Int.random(in: 1...3, using: &numbers) {
      clock.advance(by: .microseconds(Int64.random(in: 0..<700, using: &numbers)))
      let tag = SliceTag.allCases.randomElement(using: &numbers)!
      Activity.slice(tag) {
        clock.advance(by: .microseconds(Int64.random(in: 0..<700, using: &numbers)))
        if depth < 3, Bool.random(using: &numbers) { work(&numbers, depth: depth + 1) }
        let cause = WaitCause.allCases.randomElement(using: &numbers)!
        Activity.waiting(for: cause) {
          clock.advance(by: .microseconds(Int64.random(in: 0..<300, using: &numbers)))
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...20)
  func `the times of main's database slices on tape equal the ledger's`(seed: UInt64) {
    let timeline = Timeline(clock: clock)
    let recording = record(main(timeline), until: 500) { queue in
      for number in 0..<8 {
        queue.async { [self] in
          var numbers = SplitMix64(seed: seed &* 100 &+ UInt64(number))
          work(&numbers)
        }
      }
    }
    let sums = OwnTimes(timeline.recorded.tape(.main)?.events ?? [])
    #expect(sums.isWhole, "seed \(seed)")
    #expect(sums.database == recording.use.databaseExecuting + recording.use.databaseWaiting)
    #expect(sums.waiting == recording.use.databaseWaiting, "seed \(seed)")
  }
}

/// Computed from a tape's spans, independently of the ledger.
private struct OwnTimes {
  var database: Int64 = 0
  var waiting: Int64 = 0
  var isWhole = true

  init(_ events: [TimelineEvent]) {
    var open: [(mark: TimelineMark, isDatabase: Bool)] = []
    var last: Int64 = 0
    for event in events {
      if let innermost = open.last, innermost.isDatabase {
        database += event.time - last
        if innermost.mark == .wait { waiting += event.time - last }
      }
      last = event.time
      switch event.mark {
      case .end: isWhole = open.popLast() != nil && isWhole
      case .slice:
        open.append((.slice, SliceTag(rawValue: Int(event.code))!.isDatabase))
      default: open.append((event.mark, open.last?.isDatabase ?? false))
      }
    }
  }
}

extension RecordedWindow {
  func tape(_ role: TapeRole) -> Tape? { tapes.first { $0.role == role } }
}
