/// A track of a cell's trace.
enum TraceTrack: Hashable {
  /// The changes given to one of several workers.
  case changes(Int)
  case main
  case mainWaits
  /// A private queue, or several of one label that did not exist at the same time.
  case queue(TraceLane)
  case queueWaits(TraceLane)
  /// Writing transactions. Several lanes are needed only if the clocks of two stores cross.
  case writes(Int)
  case reads(Int)
}

/// The index among tracks of one name.
struct TraceLane: Hashable {
  let label: String
  let number: Int

  var name: String { number == 0 ? label : "\(label) (\(number + 1))" }
}

/// A slice of a track. Its length may be zero. Times are nanoseconds since the window opened.
struct TraceSlice {
  var name: String
  var category: String
  var start: Int64
  var end: Int64
  var arguments: [TraceArgument] = []
}

struct TraceArgument {
  enum Value {
    case number(Int)
    case text(String)
    case flag(Bool)
  }

  let key: String
  let value: Value

  init(_ key: String, _ number: Int) { (self.key, value) = (key, .number(number)) }
  init(_ key: String, _ text: String) { (self.key, value) = (key, .text(text)) }
  init(_ key: String, _ flag: Bool) { (self.key, value) = (key, .flag(flag)) }
}

/// The way of a change, drawn as an arrow from each point to the next.
struct TraceFlow {
  struct Point {
    let track: TraceTrack
    let time: Int64
  }

  /// The change's number.
  let change: Int
  /// At least two points, by time.
  let points: [Point]
}

/// A figure over time.
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
    if let free = ends.firstIndex(where: { $0 <= start }) {
      ends[free] = end
      return free
    }
    ends.append(end)
    return ends.count - 1
  }
}
