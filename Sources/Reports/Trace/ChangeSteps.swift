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
    /// In the first block of a private queue that works on the change.
    var worked: TraceFlow.Point?
    /// The last commit.
    var committed: TraceFlow.Point?
    /// When the list first had it.
    var delivered: Int64?
  }

  private var changes: [Int: Steps] = [:]
  private var frames: [Int64] = []

  mutating func begin(_ change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { $0.begun = TraceFlow.Point(track: track, time: time) }
  }

  mutating func worked(on change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { steps in
      guard time < steps.worked?.time ?? .max else { return }
      steps.worked = TraceFlow.Point(track: track, time: time)
    }
  }

  mutating func committed(_ change: Int, _ track: TraceTrack, at time: Int64) {
    note(change) { steps in
      guard time > steps.committed?.time ?? .min else { return }
      steps.committed = TraceFlow.Point(track: track, time: time)
    }
  }

  mutating func delivered(_ change: Int, at time: Int64) {
    note(change) { $0.delivered = min($0.delivered ?? time, time) }
  }

  mutating func presented(at time: Int64) { frames.append(time) }

  private mutating func note(_ change: Int, _ body: (inout Steps) -> Void) {
    if change > 0 { body(&changes[change, default: Steps()]) }
  }

  /// Changes with one point have no flow.
  var flows: [TraceFlow] {
    let frames = frames.sorted()
    return changes.sorted { $0.key < $1.key }.compactMap { change, steps in
      guard let begun = steps.begun else { return nil }
      let frame = steps.delivered.flatMap { delivered in frames.first { $0 >= delivered } }
      let onMain = [steps.delivered, frame].map { time in
        time.map { TraceFlow.Point(track: .main, time: $0) }
      }
      let later = ([steps.worked, steps.committed] + onMain).compactMap { $0 }
        .filter { $0.time >= begun.time }.sorted { $0.time < $1.time }
      return later.isEmpty ? nil : TraceFlow(change: change, points: [begun] + later)
    }
  }
}
