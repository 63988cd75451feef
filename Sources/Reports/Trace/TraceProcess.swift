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

/// A cell of a trace: a process with its tracks.
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
      drawChanges(stream.1, on: .changes(number))
    }
    drawStore(tapes.map(\.1))
    flows = steps.flows
    counters = tapes.compactMap { depth(of: $0.0) } + [wal(of: tapes.map(\.1))].compactMap { $0 }
  }

  /// Queues of one label that existed one after the other share a track.
  private static func lanes(of timeline: RecordedTimeline) -> [Int: TraceLane] {
    var used: [(queue: Int, first: Int64, last: Int64)] = []
    for tape in timeline.tapes {
      guard let queue = tape.queue, let first = tape.events.first, let last = tape.events.last
      else { continue }
      if let place = used.firstIndex(where: { $0.queue == queue }) {
        used[place].first = min(used[place].first, first.time)
        used[place].last = max(used[place].last, last.time)
      } else {
        used.append((queue, first.time, last.time))
      }
    }
    var lanes: [Int: TraceLane] = [:]
    var assignments: [String: LaneAssignment] = [:]
    for (queue, first, last) in used.sorted(by: { ($0.first, $0.queue) < ($1.first, $1.queue) }) {
      let label = timeline.label(ofQueue: queue)
      let number = assignments[label, default: LaneAssignment()].lane(from: first, to: last)
      lanes[queue] = TraceLane(label: label, number: number)
    }
    return lanes
  }

  func lane(of queue: Int) -> TraceLane {
    lanes[queue] ?? TraceLane(label: timeline.label(ofQueue: queue), number: 0)
  }
}

// MARK: - Queues

extension TraceProcess {
  private mutating func draw(_ tape: RecordedTimeline.Tape, _ spans: TapeSpans) {
    for span in spans.spans {
      guard let track = track(of: span, on: tape) else { continue }
      slices[track, default: []].append(slice(of: span, on: tape, spans))
      if span.mark == .hold, tape.role == .thread {
        steps.worked(on: span.change, track, at: span.start)
      }
      if span.mark == .frame { steps.presented(at: span.start) }
    }
    for moment in spans.moments where moment.mark == .listChanged || moment.mark == .arrived {
      let name = moment.mark == .arrived ? "change arrived" : "list changed"
      slices[.main, default: []].append(
        TraceSlice(
          name: name, category: "list", start: moment.time, end: moment.time,
          arguments: Self.change(moment.change)))
      steps.delivered(moment.change, at: moment.time)
    }
  }

  private func track(
    of span: TapeSpans.Span, on tape: RecordedTimeline.Tape
  ) -> TraceTrack? {
    let home = tape.role == .main ? nil : (span.holder ?? tape.queue).map(lane)
    switch span.mark {
    case .slice, .frame: return home.map { .queue($0) } ?? .main
    case .wait: return home.map { .queueWaits($0) } ?? .mainWaits
    case .hold: return .queue(lane(of: span.queue))
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

  static func change(_ number: Int) -> [TraceArgument] {
    number > 0 ? [TraceArgument("change", number)] : []
  }
}

// MARK: - The store

extension TraceProcess {
  private mutating func drawStore(_ tapes: [TapeSpans]) {
    let accesses = tapes.flatMap(\.accesses).sorted { $0.span.start < $1.span.start }
    for (mark, track) in [
      (RecordedTimeline.Mark.write, TraceTrack.writes), (.read, TraceTrack.reads),
    ] {
      var lanes = LaneAssignment()
      for access in accesses where access.span.mark == mark {
        draw(access, on: track(lanes.lane(from: access.span.start, to: access.span.end)))
      }
    }
  }

  private mutating func draw(_ access: StoreAccess, on track: TraceTrack) {
    let span = access.span
    var drawn = [
      TraceSlice(
        name: span.mark == .write ? "transaction" : "read", category: "store", start: span.start,
        end: span.end, arguments: Self.change(span.change))
    ]
    for checkpoint in access.checkpoints {
      drawn.append(
        TraceSlice(
          name: "checkpoint", category: "store", start: checkpoint.start, end: checkpoint.end))
    }
    for commit in access.commits {
      drawn.append(
        TraceSlice(
          name: "commit", category: "store", start: commit.time, end: commit.time,
          arguments: Self.change(commit.change) + [.init("wal_pages", commit.value)]))
      steps.committed(commit.change, track, at: commit.time)
    }
    slices[track, default: []] += drawn
  }
}
