import Foundation
import Measurement

// The track of each recorded span:
//
//   main's thread     slice, frame                          ─▶ main
//                     wait                                  ─▶ main: waits
//                     a borrowed turn of a private queue    ─▶ that queue
//   a queue's thread  turn, slice                           ─▶ the queue whose turn it has
//                     wait                                  ─▶ that queue: waits
//   any               write with its checkpoint, read       ─▶ store: writes, store: reads
//   the harness       apply                                 ─▶ changes

struct TraceProcess {
  let timeline: RecordedTimeline
  private(set) var slices: [TraceTrack: [TraceSlice]] = [:]
  private(set) var flows: [TraceFlow] = []
  private(set) var counters: [TraceCounter] = []
  private var lanes: [Int: TraceLane] = [:]
  private var steps = ChangeSteps()

  init(_ timeline: RecordedTimeline) {
    self.timeline = timeline
    lanes = Self.lanes(of: timeline)
    let tapes = timeline.tapes.map {
      ($0, TapeSpans($0, tags: timeline.tags, length: timeline.length))
    }
    for (tape, spans) in tapes where tape.role != .changes { draw(tape, spans) }
    for (number, stream) in tapes.filter({ $0.0.role == .changes }).enumerated() {
      drawChanges(stream.1, on: TraceTrack(.changes, TraceLane(label: "changes", number: number)))
    }
    drawStore(tapes.map(\.1))
    flows = steps.flows
    counters = tapes.compactMap { depth(of: $0.0) } + [wal(of: tapes.map(\.1))].compactMap { $0 }
  }

  private static func lanes(of timeline: RecordedTimeline) -> [Int: TraceLane] {
    var used: [Int: (first: Int64, last: Int64)] = [:]
    for tape in timeline.tapes {
      guard let queue = tape.queue, let first = tape.events.first, let last = tape.events.last
      else { continue }
      let times = used[queue] ?? (first.time, last.time)
      used[queue] = (min(times.first, first.time), max(times.last, last.time))
    }
    var lanes: [Int: TraceLane] = [:]
    var assignments: [String: LaneAssignment] = [:]
    let inOrder = used.sorted { ($0.value.first, $0.key) < ($1.value.first, $1.key) }
    for (queue, times) in inOrder {
      let label = timeline.label(ofQueue: queue)
      let number = assignments[label, default: LaneAssignment()]
        .lane(from: times.first, to: times.last)
      lanes[queue] = TraceLane(label: label, number: number)
    }
    return lanes
  }

  func lane(of queue: Int) -> TraceLane {
    lanes[queue] ?? TraceLane(label: timeline.label(ofQueue: queue), number: 0)
  }

  // MARK: Queues

  private mutating func draw(_ tape: RecordedTimeline.Tape, _ spans: TapeSpans) {
    for span in spans.spans {
      guard let track = track(of: span, on: tape) else { continue }
      slices[track, default: []].append(slice(of: span, on: tape, spans))
      if span.mark == .hold, tape.role == .thread {
        steps.worked(on: span.change, track, at: span.start)
      }
      if span.mark == .frame { steps.presented(at: span.start) }
    }
    for (moment, _) in spans.moments where [.listChanged, .arrived].contains(moment.mark) {
      let name = moment.mark == .arrived ? "change arrived" : "list changed"
      slices[.main, default: []].append(
        TraceSlice(
          name: name, category: "list", start: moment.time, end: moment.time,
          arguments: Self.change(moment.change)))
      steps.delivered(moment.change, at: moment.time)
    }
  }

  private func track(of span: TapeSpans.Span, on tape: RecordedTimeline.Tape) -> TraceTrack? {
    let queue = tape.role == .main ? nil : (span.holder ?? tape.queue).map(lane)
    let home = queue.map { TraceTrack(.queue, $0) } ?? .main
    switch span.mark {
    case .slice, .frame: return home
    case .wait: return TraceTrack(home.group, home.lane, isWaits: true)
    case .hold: return TraceTrack(.queue, lane(of: span.queue))
    default: return nil
    }
  }

  private func slice(
    of span: TapeSpans.Span, on tape: RecordedTimeline.Tape, _ spans: TapeSpans
  ) -> TraceSlice {
    var slice = TraceSlice(name: "", category: "", start: span.start, end: span.end)
    slice.arguments = Self.change(span.change)
    if span.statements > 0 { slice.arguments.append(.init("statements", span.statements)) }
    if span.isCut { slice.arguments.append(.init("cut", true)) }
    switch span.mark {
    case .slice:
      slice.name = timeline.tag(span.code)
      slice.category = spans.isDatabase(span) ? "database" : slice.name
      if span.outer == nil, tape.role == .main, slice.name == "harness" { slice.name = "busy" }
    case .wait:
      slice.name = "wait for \(timeline.cause(span.code))"
      slice.category = tape.role != .main || span.isCharged ? "wait" : "uncharged wait"
    case .hold:
      let isOwn = tape.role == .thread && tape.queue == span.queue
      slice.name = isOwn ? "block" : "lent to \(timeline.owner(of: tape))"
      slice.category = "queue"
    default:
      (slice.name, slice.category) = ("\(span.mark)", "frame")
    }
    return slice
  }

  private mutating func drawChanges(_ stream: TapeSpans, on track: TraceTrack) {
    for span in stream.spans where span.mark == .apply {
      slices[track, default: []].append(
        TraceSlice(
          name: "change \(span.change)", category: "change", start: span.start, end: span.end,
          arguments: Self.change(span.change) + (span.isCut ? [.init("cut", true)] : [])))
      steps.begin(span.change, track, at: span.start)
    }
  }

  private static func change(_ number: Int) -> [JSONMember] {
    number > 0 ? [JSONMember("change", number)] : []
  }

  // MARK: The store

  private mutating func drawStore(_ tapes: [TapeSpans]) {
    let accesses = tapes.flatMap(\.accesses).sorted { $0.span.start < $1.span.start }
    for mark in [RecordedTimeline.Mark.write, .read] {
      let group: TraceTrack.Group = mark == .write ? .writes : .reads
      var lanes = LaneAssignment()
      for access in accesses where access.span.mark == mark {
        let number = lanes.lane(from: access.span.start, to: access.span.end)
        draw(access, on: TraceTrack(group, TraceLane(label: "store: \(group)", number: number)))
      }
    }
  }

  private mutating func draw(_ access: StoreAccess, on track: TraceTrack) {
    let span = access.span
    func slice(
      _ name: String, _ start: Int64, _ end: Int64, _ arguments: [JSONMember] = []
    ) -> TraceSlice {
      TraceSlice(name: name, category: "store", start: start, end: end, arguments: arguments)
    }
    let name = span.mark == .write ? "transaction" : "read"
    slices[track, default: []] +=
      [slice(name, span.start, span.end, Self.change(span.change))]
      + access.checkpoints.map { slice("checkpoint", $0.start, $0.end) }
      + access.commits.map { commit in
        let pages = JSONMember("wal_pages", commit.value)
        return slice("commit", commit.time, commit.time, Self.change(commit.change) + [pages])
      }
    for commit in access.commits {
      steps.committed(commit.change, track, at: commit.time)
    }
  }

  /// The number of blocks that wait in a queue, over time.
  func depth(of tape: RecordedTimeline.Tape) -> TraceCounter? {
    let name: String
    switch tape.role {
    case .mainDepth: name = "main queue depth"
    case .depth: name = "\(tape.queue.map { lane(of: $0).name } ?? "?") queue depth"
    default: return nil
    }
    let points = tape.events.filter { $0.mark == .depth }.map { ($0.time, "\($0.value)") }
    return points.isEmpty
      ? nil : TraceCounter(name: name, unit: "waiting", points: [(0, "0")] + points)
  }

  /// The WAL after each commit: a header of 32 bytes, and 24 before each page
  /// (https://www.sqlite.org/fileformat.html, 4.1).
  func wal(of tapes: [TapeSpans]) -> TraceCounter? {
    let commits = tapes.flatMap { $0.moments.map(\.event).filter { $0.mark == .committed } }
    guard !commits.isEmpty else { return nil }
    let points = commits.sorted { $0.time < $1.time }.map { commit in
      (commit.time, kibibytes(32 + Double(commit.value) * (Double(timeline.pageSize) + 24)))
    }
    return TraceCounter(name: "WAL size", unit: "KiB", points: points)
  }

  private func kibibytes(_ bytes: Double) -> String {
    "\((bytes / 1024 * 10).rounded() / 10)"
  }
}

extension RecordedTimeline {
  func tag(_ code: Int) -> String { tags.indices.contains(code) ? tags[code].name : "?" }

  func cause(_ code: Int) -> String { causes.indices.contains(code) ? causes[code] : "?" }

  func label(ofQueue number: Int) -> String {
    queues.indices.contains(number) ? queues[number] : "queue \(number)"
  }

  /// The queue whose thread recorded the tape.
  func owner(of tape: Tape) -> String { tape.queue.map(label) ?? "main" }
}
