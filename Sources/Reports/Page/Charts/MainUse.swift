import Measurement

/// A use of main's time. Figures hatch waits, so that they differ from work without colours.
enum MainUse: String, CaseIterable, Sendable {
  case executing, reading, saving, merging
  case parent, coordinator, sqlite, queue, other
  case priced, drawing, aside

  /// - Parameter cause: of a gap: the tag of a slice, or `wait-` and a cause.
  init(cause: String) {
    switch cause {
    case "fetch", "fault": self = .reading
    case "save", "push-up": self = .saving
    case "merge", "changes", "list": self = .merging
    case "ui": self = .drawing
    case "priced": self = .priced
    case "heartbeat", "harness": self = .aside
    case let wait where wait.hasPrefix("wait-"):
      let known = MainUse(rawValue: String(wait.dropFirst(5)))
      self = known.flatMap { $0.isWaiting ? $0 : nil } ?? .other
    default: self = .executing
    }
  }

  /// Their sum is the blocked time.
  static let columns: [(use: MainUse, column: Metric)] = [
    (.executing, .mainExecuting), (.parent, .mainWaitParent),
    (.coordinator, .mainWaitCoordinator), (.sqlite, .mainWaitSQLite),
    (.queue, .mainWaitQueue), (.other, .mainWaitOther),
  ]

  var isWaiting: Bool { [.parent, .coordinator, .sqlite, .queue, .other].contains(self) }

  var style: String { "use-\(rawValue)" }

  var words: String {
    switch self {
    case .executing: "executing"
    case .reading: "reading: fetches and faults"
    case .saving: "saving and taking in a child's save"
    case .merging: "merging and updating the list"
    case .parent: "waiting for a parent's queue"
    case .coordinator: "waiting for the coordinator's lock"
    case .sqlite: "waiting for SQLite's lock"
    case .queue: "waiting for a private queue"
    case .other: "waiting for something else"
    case .priced: "charged by a device's prices"
    case .drawing: "drawing"
    case .aside: "answering events and measuring"
    }
  }

  var inTimeline: String { self == .executing ? "other work on objects" : words }
}

/// Service gaps as runs of columns of one colour.
struct Strip {
  /// The outline of each use's pieces, 20 px high.
  let paths: [MainUse: String]

  static let columns = 480

  /// - Parameter upper: the instant at the right edge, in ms.
  init(_ gaps: [GapSample], upper: Double) {
    let width = upper / Double(Self.columns)
    var owners = [Owner?](repeating: nil, count: Self.columns)
    for (index, gap) in gaps.enumerated() where gap.duration > 0 && gap.start < upper {
      let use = MainUse(cause: gap.cause)
      let first = Self.column(gap.start / width)
      // A gap that ends where a column begins is not in that column.
      let last = Self.column((gap.start + gap.duration) / width - 1e-9)
      for column in first...max(first, last) {
        let edges = (Double(column) * width, Double(column + 1) * width)
        let time = min(gap.start + gap.duration, edges.1) - max(gap.start, edges.0)
        guard time > owners[column]?.time ?? 0 else { continue }
        let piece = last - first >= Self.seenAlone ? index : nil
        owners[column] = Owner(use: use, piece: piece, time: time)
      }
    }
    paths = Self.paths(owners)
  }

  private struct Owner {
    let use: MainUse
    /// The gap, if it is wide enough to be visible by itself.
    let piece: Int?
    let time: Double

    func isContinued(by other: Owner?) -> Bool { use == other?.use && piece == other?.piece }
  }

  /// In columns: the least gap that is visible by itself, and the notch after it.
  private static let seenAlone = 4
  private static let notch = 0.6

  private static func column(_ place: Double) -> Int {
    Int(min(Double(columns - 1), max(0, place)))
  }

  private static func paths(_ owners: [Owner?]) -> [MainUse: String] {
    var paths: [MainUse: String] = [:]
    var start = 0
    while start < owners.count {
      guard let owner = owners[start] else {
        start += 1
        continue
      }
      let end = owners[start...].firstIndex { !owner.isContinued(by: $0) } ?? owners.count
      let isFollowed = end < owners.count && owner.piece != nil && owners[end] != nil
      let width = DecimalText.text(Double(end - start) - (isFollowed ? notch : 0), digits: 2) ?? "0"
      paths[owner.use, default: ""] += "M\(start) 0h\(width)v20H\(start)z"
      start = end
    }
    return paths
  }
}
