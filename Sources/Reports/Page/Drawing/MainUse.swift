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

  var isWaiting: Bool {
    [.parent, .coordinator, .sqlite, .queue, .other].contains(self)
  }

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

  static func words(cause: String) -> String {
    cause.hasPrefix("wait-") ? "waiting for \(cause.dropFirst(5))" : cause
  }

  var inTimeline: String { self == .executing ? "other work on objects" : words }
}

/// The legend of the uses that occur.
struct Key {
  let uses: Set<MainUse>
  var isTimeline = false

  var html: HTML {
    tag("ul", ["class": "key"]) {
      for use in MainUse.allCases where uses.contains(use) {
        tag("li") {
          tag(
            "svg",
            [
              "xmlns": "http://www.w3.org/2000/svg", "width": "14", "height": "14",
              "aria-hidden": "true",
            ]
          ) { HTML.void("rect", ["class": use.style, "width": "14", "height": "14", "rx": "2"]) }
          isTimeline ? use.inTimeline : use.words
        }
      }
    }
  }
}
