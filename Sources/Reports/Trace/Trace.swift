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

/// A trace of cells. Each cell is a process that begins at 0, so that cells can be compared.
package enum Trace {
  package static let schema = "topobench-trace/1"

  /// - Returns: JSON with one event on each line.
  package static func json(_ timelines: [RecordedTimeline]) -> String {
    let shown = timelines.differences
    var text = "{\"displayTimeUnit\":\"ms\",\n\"otherData\":\(otherData(timelines)),\n"
    text += "\"traceEvents\":["
    var isFirst = true
    for (index, timeline) in timelines.enumerated() {
      let writer = TraceWriter(
        TraceProcess(timeline), pid: pid(index), name: timeline.name(showing: shown), order: index)
      for line in writer.lines {
        text += (isFirst ? "\n" : ",\n") + line
        isFirst = false
      }
    }
    return text + "\n]}\n"
  }

  /// Threads of different processes have different numbers: Perfetto finds the thread of a name by
  /// its number alone.
  static let pidStep = 10_000

  private static func pid(_ index: Int) -> Int { (index + 1) * pidStep }

  /// Identifies the cells, and has the figures of their rows.
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

/// The differences of cells beside topology, store and trial, which their names must show.
struct TraceDifferences {
  var scenario = false
  var parameters = false
  var label = false
}

extension [RecordedTimeline] {
  fileprivate var differences: TraceDifferences {
    TraceDifferences(
      scenario: Set(map(\.cell.scenario)).count > 1,
      parameters: Set(map(\.cell.parameters)).count > 1,
      label: Set(map(\.cell.label)).count > 1)
  }
}

extension RecordedTimeline {
  /// `notification-merge · pool · trial 1`
  fileprivate func name(showing shown: TraceDifferences) -> String {
    [
      cell.topology, cell.store, "trial \(cell.trial)", shown.label ? cell.label : "",
      shown.scenario ? cell.scenario : "", shown.parameters ? cell.parameters : "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
