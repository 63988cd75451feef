import Measurement

/// Writes one process of a trace, an event a line.
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
    let tracks = process.slices.keys.sorted { $0.place < $1.place }
    self.tracks = tracks
    // The main thread has the number of its process, as viewers expect.
    var tids: [TraceTrack: Int] = [:]
    for (place, track) in tracks.enumerated() { tids[track] = pid + place + 1 }
    tids[.main] = pid
    self.tids = tids
  }

  var lines: [String] {
    names + tracks.flatMap(slices) + flows + counters + leftOut
  }

  // MARK: Names

  private var names: [String] {
    var lines = [
      metadata("process_name", pid, .init("name", name)),
      metadata("process_sort_index", pid, .init("sort_index", order)),
      metadata("process_labels", pid, .init("labels", process.timeline.cell.scenario)),
    ]
    for (place, track) in tracks.enumerated() {
      let tid = tids[track] ?? pid
      lines.append(metadata("thread_name", tid, .init("name", track.name)))
      lines.append(metadata("thread_sort_index", tid, .init("sort_index", place)))
    }
    return lines
  }

  private func metadata(_ name: String, _ tid: Int, _ argument: TraceArgument) -> String {
    "{\"ph\":\"M\",\"name\":\"\(name)\",\"pid\":\(pid),\"tid\":\(tid),"
      + "\"args\":\(JSONText.object([argument]))}"
  }

  // MARK: Slices

  /// Outer slices first.
  private func slices(of track: TraceTrack) -> [String] {
    let slices = (process.slices[track] ?? []).enumerated().sorted { a, b in
      (a.element.start, -a.element.end, a.offset) < (b.element.start, -b.element.end, b.offset)
    }
    return slices.map { line($0.element, tids[track] ?? pid) }
  }

  private func line(_ slice: TraceSlice, _ tid: Int) -> String {
    let arguments =
      slice.arguments.isEmpty ? "" : ",\"args\":\(JSONText.object(slice.arguments))"
    return "{\"ph\":\"X\",\"name\":\(JSONText.string(slice.name)),"
      + "\"cat\":\(JSONText.string(slice.category)),\"pid\":\(pid),\"tid\":\(tid),"
      + "\"ts\":\(JSONText.microseconds(slice.start)),"
      + "\"dur\":\(JSONText.microseconds(slice.end - slice.start))\(arguments)}"
  }

  // MARK: Arrows

  private var flows: [String] {
    process.flows.flatMap { flow in
      flow.points.enumerated().map { place, point in
        let phase = place == 0 ? "s" : place == flow.points.count - 1 ? "f" : "t"
        let binding = phase == "f" ? ",\"bp\":\"e\"" : ""
        return "{\"ph\":\"\(phase)\",\"name\":\"change\",\"cat\":\"change\","
          + "\"id\":\(pid * 1_000_000 + flow.change),\"pid\":\(pid),\"tid\":\(tids[point.track] ?? pid),"
          + "\"ts\":\(JSONText.microseconds(point.time))\(binding)}"
      }
    }
  }

  // MARK: Counters

  private var counters: [String] {
    process.counters.flatMap { counter in
      counter.points.map { point in
        "{\"ph\":\"C\",\"name\":\(JSONText.string(counter.name)),\"pid\":\(pid),\"tid\":\(pid),"
          + "\"ts\":\(JSONText.microseconds(point.time)),"
          + "\"args\":{\(JSONText.string(counter.unit)):\(point.value)}}"
      }
    }
  }

  // MARK: Omissions

  private var leftOut: [String] {
    process.timeline.tapes.filter { $0.dropped > 0 }.map { tape in
      let whose = process.timeline.owner(of: tape)
      let text =
        "the recording was full: \(tape.dropped) events of \(whose) are missing from here on"
      return "{\"ph\":\"i\",\"s\":\"p\",\"name\":\(JSONText.string(text)),\"cat\":\"dropped\","
        + "\"pid\":\(pid),\"tid\":\(pid),"
        + "\"ts\":\(JSONText.microseconds(tape.events.last?.time ?? 0))}"
    }
  }
}

extension TraceTrack {
  var name: String {
    switch self {
    case .changes(let number): TraceLane(label: "changes", number: number).name
    case .main: "main"
    case .mainWaits: "main: waits"
    case .queue(let lane): "queue \(lane.name)"
    case .queueWaits(let lane): "queue \(lane.name): waits"
    case .writes(let number): TraceLane(label: "store: writes", number: number).name
    case .reads(let number): TraceLane(label: "store: reads", number: number).name
    }
  }

  /// From top to bottom.
  fileprivate var place: TrackPlace {
    switch self {
    case .changes(let number): TrackPlace(group: 0, lane: number)
    case .main: TrackPlace(group: 1)
    case .mainWaits: TrackPlace(group: 2)
    case .queue(let lane): TrackPlace(group: 3, label: lane.label, lane: lane.number)
    case .queueWaits(let lane):
      TrackPlace(group: 3, label: lane.label, lane: lane.number, isBelow: true)
    case .writes(let number): TrackPlace(group: 4, lane: number)
    case .reads(let number): TrackPlace(group: 5, lane: number)
    }
  }
}

private struct TrackPlace: Comparable {
  var group: Int
  var label = ""
  var lane = 0
  var isBelow = false

  static func < (a: TrackPlace, b: TrackPlace) -> Bool {
    (a.group, a.label, a.lane, a.isBelow ? 1 : 0) < (b.group, b.label, b.lane, b.isBelow ? 1 : 0)
  }
}
