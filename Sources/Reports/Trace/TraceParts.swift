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
