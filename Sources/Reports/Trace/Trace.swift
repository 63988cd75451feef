package import Measurement

// The trace-event format (Google, "Trace Event Format") as Perfetto reads it: an object with
// `traceEvents`, times in µs with digits down to the nanosecond.
//
//   M        names and order of processes and threads
//   X        a slice of a track; slices nest
//   s, t, f  the arrows of a change, bound to the slice around them
//   C        a counter
//   i        a note that something was left out
//
// Perfetto binds an arrow to the slice of the track that began last. So each point of an arrow has
// a slice that begins there: an `apply`, a block, a frame, or a slice without length.

/// Each cell is a process that begins at 0, so that cells can be compared.
package enum Trace {
  package static let schema = "topobench-trace/1"

  /// - Returns: JSON with one event on each line.
  package static func json(_ timelines: [RecordedTimeline]) -> String {
    let events = zip(timelines, timelines.names).enumerated().flatMap { index, cell in
      TraceWriter(TraceProcess(cell.0), pid: pid(index), name: cell.1, order: index).lines
    }
    return "{\"displayTimeUnit\":\"ms\",\n\"otherData\":\(otherData(timelines)),\n"
      + "\"traceEvents\":[\(events.map { "\n" + $0 }.joined(separator: ","))\n]}\n"
  }

  /// Perfetto finds a thread by its number alone, so no two processes share one.
  static let pidStep = 10_000

  private static func pid(_ index: Int) -> Int { (index + 1) * pidStep }

  private static func otherData(_ timelines: [RecordedTimeline]) -> String {
    let cells = timelines.enumerated().map { index, timeline in
      let cell = timeline.cell
      return JSONText.object([
        .init("pid", pid(index)), .init("run_id", cell.runID), .init("order", cell.order),
        .init("scenario", cell.scenario), .init("parameters", cell.parameters),
        .init("topology", cell.topology), .init("store", cell.store), .init("trial", cell.trial),
        .init("label", cell.label), .init("repeat", timeline.repeat),
        .init("repeats", timeline.repeats), .init("is_median", timeline.isMedian),
        .init("window_ns", Int(timeline.length)),
        .init("main_executing_ns", Int(timeline.executing)),
        .init("main_waiting_ns", Int(timeline.waiting)), .init("dropped", timeline.dropped),
      ])
    }
    return
      "{\"schema\":\(JSONText.string(schema)),\"cells\":[\n\(cells.joined(separator: ",\n"))\n]}"
  }
}

extension [RecordedTimeline] {
  /// `notification-merge · pool · trial 1`, with the other values in which cells differ.
  fileprivate var names: [String] {
    let others = [\RecordedTimeline.Cell.label, \.scenario, \.parameters].filter { value in
      Set(map { $0.cell[keyPath: value] }).count > 1
    }
    return map(\.cell).map { cell in
      let parts = [cell.topology, cell.store, "trial \(cell.trial)"]
      return (parts + others.map { cell[keyPath: $0] }).filter { !$0.isEmpty }
        .joined(separator: " · ")
    }
  }
}

struct TraceWriter {
  private let process: TraceProcess
  private let pid: Int
  private let name: String
  private let order: Int
  private let tracks: [TraceTrack]
  private let tids: [TraceTrack: Int]

  init(_ process: TraceProcess, pid: Int, name: String, order: Int) {
    self.process = process
    self.pid = pid
    self.name = name
    self.order = order
    tracks = process.slices.keys.sorted()
    // Viewers expect the number of the process for its main thread.
    var tids: [TraceTrack: Int] = [:]
    for (index, track) in tracks.enumerated() { tids[track] = pid + index + 1 }
    tids[.main] = pid
    self.tids = tids
  }

  var lines: [String] {
    names + tracks.flatMap(slices) + process.flows.flatMap(arrows)
      + process.counters.flatMap(values) + omissions
  }

  private func tid(_ track: TraceTrack) -> Int { tids[track] ?? pid }

  private func thread(_ tid: Int) -> [JSONMember] { [.init("pid", pid), .init("tid", tid)] }

  private func time(_ time: Int64, as key: String = "ts") -> JSONMember {
    .init(key, json: JSONText.microseconds(time))
  }

  // MARK: Names

  private var names: [String] {
    let process = [
      metadata("process_name", pid, .init("name", name)),
      metadata("process_sort_index", pid, .init("sort_index", order)),
      metadata("process_labels", pid, .init("labels", process.timeline.cell.scenario)),
    ]
    return process
      + tracks.enumerated().flatMap { index, track in
        [
          metadata("thread_name", tid(track), .init("name", track.name)),
          metadata("thread_sort_index", tid(track), .init("sort_index", index)),
        ]
      }
  }

  private func metadata(_ name: String, _ tid: Int, _ argument: JSONMember) -> String {
    JSONText.object(
      [.init("ph", "M"), .init("name", name)] + thread(tid)
        + [.init("args", json: JSONText.object([argument]))])
  }

  // MARK: Events

  /// Outer slices first.
  private func slices(of track: TraceTrack) -> [String] {
    let slices = process.slices[track, default: []].sorted { a, b in
      (a.start, -a.end) < (b.start, -b.end)
    }
    return slices.map { slice in
      let arguments = slice.arguments.isEmpty ? nil : JSONText.object(slice.arguments)
      return JSONText.object(
        [.init("ph", "X"), .init("name", slice.name), .init("cat", slice.category)]
          + thread(tid(track)) + [time(slice.start), time(slice.end - slice.start, as: "dur")]
          + (arguments.map { [.init("args", json: $0)] } ?? []))
    }
  }

  private func arrows(of flow: TraceFlow) -> [String] {
    flow.points.enumerated().map { index, point in
      let isLast = index == flow.points.count - 1
      return JSONText.object(
        [
          .init("ph", index == 0 ? "s" : isLast ? "f" : "t"), .init("name", "change"),
          .init("cat", "change"), .init("id", pid * 1_000_000 + flow.change),
        ] + thread(tid(point.track)) + [time(point.time)] + (isLast ? [.init("bp", "e")] : []))
    }
  }

  private func values(of counter: TraceCounter) -> [String] {
    counter.points.map { point in
      JSONText.object(
        [.init("ph", "C"), .init("name", counter.name)] + thread(pid) + [
          time(point.time),
          .init("args", json: JSONText.object([.init(counter.unit, json: point.value)])),
        ])
    }
  }

  private var omissions: [String] {
    process.timeline.tapes.filter { $0.dropped > 0 }.map { tape in
      let owner = process.timeline.owner(of: tape)
      let text =
        "the recording was full: \(tape.dropped) events of \(owner) are missing from here on"
      return JSONText.object(
        [.init("ph", "i"), .init("s", "p"), .init("name", text), .init("cat", "dropped")]
          + thread(pid) + [time(tape.events.last?.time ?? 0)])
    }
  }
}
