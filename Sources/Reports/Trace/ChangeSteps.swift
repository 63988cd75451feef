// The recorded way of a change:
//
//   changes        ├─ apply ───┤
//                  │ s
//   worker         └▶├─ block ─────────┤
//                    │ t
//   store            └▶     ├─ write ─┤
//                             │ t                 its last commit
//   main                      └▶├─ list ─┤  ├─ frame ─┤
//                                  │ t      ▲ f
//                                  └────────┘     the first list with it, the next frame

/// The points of each change on its way. The order of the calls does not matter.
struct ChangeSteps {
  private struct Steps {
    var begun: TraceFlow.Point?
    var worked: TraceFlow.Point?
    var committed: TraceFlow.Point?
    var delivered: Int64?
  }

  private var changes: [Int: Steps] = [:]
  private var frames: [Int64] = []

  mutating func begin(_ change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { $0.begun = TraceFlow.Point(track: track, time: time) }
  }

  /// Records the first block of a private queue that works on the change.
  mutating func worked(on change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { steps in
      if steps.worked.map({ $0.time > time }) ?? true {
        steps.worked = TraceFlow.Point(track: track, time: time)
      }
    }
  }

  /// Records the last one.
  mutating func committed(_ change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { steps in
      if steps.committed.map({ $0.time < time }) ?? true {
        steps.committed = TraceFlow.Point(track: track, time: time)
      }
    }
  }

  /// Records the first one.
  mutating func delivered(_ change: Int, at time: Int64) {
    note(change) { $0.delivered = min($0.delivered ?? time, time) }
  }

  mutating func presented(at time: Int64) { frames.append(time) }

  private mutating func note(_ change: Int, _ body: (inout Steps) -> Void) {
    if change > 0 { body(&changes[change, default: Steps()]) }
  }

  /// The flow of each change with two points or more.
  var flows: [TraceFlow] {
    let frames = frames.sorted()
    return changes.sorted { $0.key < $1.key }.compactMap { change, steps in
      guard let begun = steps.begun else { return nil }
      let frame = steps.delivered.flatMap { delivered in frames.first { $0 >= delivered } }
      let later = [
        steps.worked, steps.committed,
        steps.delivered.map { TraceFlow.Point(track: .main, time: $0) },
        frame.map { TraceFlow.Point(track: .main, time: $0) },
      ].compactMap { $0 }.filter { $0.time >= begun.time }.sorted { $0.time < $1.time }
      guard !later.isEmpty else { return nil }
      return TraceFlow(
        change: change, points: [begun] + later)
    }
  }
}
