/// A line of a trace, of one cell.
enum TraceTrack: Hashable {
  /// What one of several workers is given.
  case changes(Int)
  case main
  case mainWaits
  /// A private queue, or several of one label that were not there at the same time.
  case queue(TraceLane)
  case queueWaits(TraceLane)
  /// Transactions that write; more than one lane only where two stores' clocks cross.
  case writes(Int)
  case reads(Int)
}

/// Which of several lines that bear one name.
struct TraceLane: Hashable {
  let label: String
  let number: Int

  var name: String { number == 0 ? label : "\(label) (\(number + 1))" }
}

/// A stretch of a track, or a moment of no length. Nanoseconds from the window's opening.
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

/// The way of a change: an arrow from each point to the next.
struct TraceFlow {
  struct Point {
    let track: TraceTrack
    let time: Int64
  }

  /// The change's number.
  let change: Int
  /// At least two, in the order of their times.
  let points: [Point]
}

/// A figure over time.
struct TraceCounter {
  let name: String
  let unit: String
  /// Values as JSON has them.
  var points: [(time: Int64, value: String)]
}

/// Which lane each of several stretches takes, so that none of a lane overlap: the first that is free.
struct LaneAssignment {
  private var ends: [Int64] = []

  /// - Parameter start: not before that of the stretch before.
  mutating func lane(from start: Int64, to end: Int64) -> Int {
    if let free = ends.firstIndex(where: { $0 <= start }) {
      ends[free] = end
      return free
    }
    ends.append(end)
    return ends.count - 1
  }
}
