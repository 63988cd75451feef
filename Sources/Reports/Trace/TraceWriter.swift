import Measurement

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
    let slices = (process.slices[track] ?? []).enumerated().sorted { a, b in
      (a.element.start, -a.element.end, a.offset) < (b.element.start, -b.element.end, b.offset)
    }
    return slices.map { _, slice in
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
