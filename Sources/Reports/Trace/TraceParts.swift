/// A track of a cell's trace. Tracks sort from top to bottom.
struct TraceTrack: Hashable, Comparable {
  enum Group: Int {
    /// The changes given to one of several workers.
    case changes
    case main
    case queue
    /// Several lanes are needed only if the clocks of two stores cross.
    case writes
    case reads
  }

  let group: Group
  let lane: TraceLane
  let isWaits: Bool

  init(_ group: Group, _ lane: TraceLane, isWaits: Bool = false) {
    (self.group, self.lane, self.isWaits) = (group, lane, isWaits)
  }

  static let main = TraceTrack(.main, TraceLane(label: "main", number: 0))

  var name: String {
    (group == .queue ? "queue " : "") + lane.name + (isWaits ? ": waits" : "")
  }

  static func < (a: TraceTrack, b: TraceTrack) -> Bool {
    (a.group.rawValue, a.lane.label, a.lane.number, a.isWaits ? 1 : 0)
      < (b.group.rawValue, b.lane.label, b.lane.number, b.isWaits ? 1 : 0)
  }
}

/// Queues of one label share a track if one ended before the other.
struct TraceLane: Hashable {
  let label: String
  let number: Int

  var name: String { number == 0 ? label : "\(label) (\(number + 1))" }
}

/// Its length may be zero. Times are nanoseconds since the window opened.
struct TraceSlice {
  var name: String
  var category: String
  var start: Int64
  var end: Int64
  var arguments: [JSONMember] = []
}

/// The way of a change, drawn as an arrow from each point to the next.
struct TraceFlow {
  struct Point {
    let track: TraceTrack
    let time: Int64
  }

  let change: Int
  /// At least two, by time.
  let points: [Point]
}

struct TraceCounter {
  let name: String
  let unit: String
  /// Values as JSON.
  var points: [(time: Int64, value: String)]
}

/// Assigns each slice to the first free lane, so that slices of a lane do not overlap.
struct LaneAssignment {
  private var ends: [Int64] = []

  /// - Parameter start: at or after the previous start.
  mutating func lane(from start: Int64, to end: Int64) -> Int {
    let lane = ends.firstIndex { $0 <= start } ?? ends.count
    if lane == ends.count { ends.append(end) } else { ends[lane] = end }
    return lane
  }
}

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
    /// When the list first contained the change.
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
