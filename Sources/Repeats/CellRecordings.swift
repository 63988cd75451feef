package import Foundation
package import Measurement
package import Queues

// The median is known only after the last repeat, so every repeat is recorded. In the end, the
// recording closest to the median is written.

package struct CellRecordings {
  private struct Recorded {
    let number: Int
    let outcome: RepeatOutcome
    let window: RecordedWindow

    func distance(to blocked: Int64) -> Int64 { abs(outcome.blocked - blocked) }
  }

  /// Above it, the repeats furthest from the median are dropped.
  private static let mostEvents = 1 << 22

  private var held: [Recorded] = []
  /// Main's blocked time in each repeat, in nanoseconds.
  private var all: [Int64] = []
  private var events = 0

  private var middle: Int64 { all.sorted()[all.count / 2] }

  package init() {}

  package mutating func add(_ timeline: Timeline, _ outcome: RepeatOutcome) {
    let window = timeline.recorded
    all.append(outcome.blocked)
    held.append(Recorded(number: all.count, outcome: outcome, window: window))
    events += window.eventCount
    while events > Self.mostEvents, held.count > 1 { dropFurthest() }
  }

  private mutating func dropFurthest() {
    let middle = middle
    let furthest = held.indices.max {
      held[$0].distance(to: middle) < held[$1].distance(to: middle)
    }
    guard let furthest else { return }
    events -= held.remove(at: furthest).window.eventCount
  }

  /// The recording closest to the median; nil if there is none. `store` is the last repeat's.
  package func median(of result: CellResult, store: URL?) -> RecordedTimeline? {
    guard !held.isEmpty else { return nil }
    let middle = middle
    let kept = held.min { $0.distance(to: middle) < $1.distance(to: middle) }
    guard let kept else { return nil }
    let isMedian = kept.outcome.blocked == middle && !all.count.isMultiple(of: 2)
    let window = kept.window
    let length = window.closed.nanoseconds - window.opened.nanoseconds
    return RecordedTimeline(
      cell: .init(result), repeat: kept.number, repeats: all.count, isMedian: isMedian,
      length: length, executing: kept.outcome.executing, waiting: kept.outcome.waiting,
      pageSize: store.flatMap(Self.pageSize) ?? 4096,
      tags: SliceTag.allCases.map { .init(name: $0.name, isDatabase: $0.isDatabase) },
      causes: WaitCause.allCases.map(\.name), queues: window.queues,
      tapes: window.tapes.compactMap { .init($0, opened: window.opened, length: length) })
  }

  /// From the file's header (https://www.sqlite.org/fileformat.html, 1.3.2).
  private static func pageSize(of store: URL) -> Int? {
    guard let file = try? FileHandle(forReadingFrom: store) else { return nil }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 18), header.count == 18 else { return nil }
    let size = Int(header[16]) << 8 | Int(header[17])
    return size == 1 ? 65536 : size
  }
}

extension RecordedWindow {
  var eventCount: Int { tapes.reduce(0) { $0 + $1.events.count } }
}

extension RecordedTimeline.Tape {
  /// Nil if the tape is empty.
  fileprivate init?(_ tape: RecordedWindow.Tape, opened: Instant, length: Int64) {
    guard !tape.events.isEmpty || tape.dropped > 0 else { return nil }
    let (role, queue): (Role, Int?) =
      switch tape.role {
      case .main: (.main, nil)
      case .thread(let queue): (.thread, queue)
      case .mainDepth: (.mainDepth, nil)
      case .depth(let queue): (.depth, queue)
      case .changes: (.changes, nil)
      }
    self.init(
      role: role, queue: queue, dropped: tape.dropped,
      events: tape.events.compactMap { .init($0, opened: opened, length: length) })
  }
}

extension RecordedTimeline.Event {
  /// Nil if the event began after the window closed: its thread had not noticed yet.
  fileprivate init?(_ event: TimelineEvent, opened: Instant, length: Int64) {
    let time = event.time - opened.nanoseconds
    guard time <= length, let mark = RecordedTimeline.Mark(rawValue: Int(event.mark.rawValue))
    else { return nil }
    self.init(
      mark, at: max(0, time), code: Int(event.code), subject: Int(event.subject),
      change: event.change == TimelineEvent.unknownChange ? -1 : Int(event.change),
      value: Int(event.value))
  }
}
