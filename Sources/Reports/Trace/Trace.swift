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
    var text = "{\"displayTimeUnit\":\"ms\",\n\"otherData\":\(otherData(timelines)),\n"
    text += "\"traceEvents\":["
    var isFirst = true
    for (index, (timeline, name)) in zip(timelines, timelines.names).enumerated() {
      let writer = TraceWriter(
        TraceProcess(timeline), pid: pid(index), name: name, order: index)
      for line in writer.lines {
        text += (isFirst ? "\n" : ",\n") + line
        isFirst = false
      }
    }
    return text + "\n]}\n"
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
