/// What main's time went to, as figures colour it: work is plain, waiting is hatched, so that the two
/// are told apart without colours as well.
enum MainUse: String, CaseIterable, Sendable {
  case executing, reading, saving, merging
  case parent, coordinator, sqlite, queue, other
  case drawing, aside

  /// - Parameter cause: as a service gap has it: a slice's tag, or `wait-` and a cause.
  init(cause: String) {
    switch cause {
    case "fetch", "fault": self = .reading
    case "save", "push-up": self = .saving
    case "merge", "changes", "list": self = .merging
    case "ui": self = .drawing
    case "heartbeat", "harness": self = .aside
    case let wait where wait.hasPrefix("wait-"):
      let known = MainUse(rawValue: String(wait.dropFirst(5)))
      self = known.flatMap { $0.isWaiting ? $0 : nil } ?? .other
    default: self = .executing
    }
  }

  /// Those that the columns of a cell tell of: together, its blocked time.
  static let columns: [(use: MainUse, column: String)] = [
    (.executing, "main_executing_ms"), (.parent, "main_wait_parent_ms"),
    (.coordinator, "main_wait_coordinator_ms"), (.sqlite, "main_wait_sqlite_ms"),
    (.queue, "main_wait_queue_ms"), (.other, "main_wait_other_ms"),
  ]

  var isWaiting: Bool {
    switch self {
    case .parent, .coordinator, .sqlite, .queue, .other: true
    default: false
    }
  }

  /// Of the style sheet.
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
    case .drawing: "drawing"
    case .aside: "answering events and measuring"
    }
  }

  /// A service gap's cause as people read it.
  static func words(cause: String) -> String {
    cause.hasPrefix("wait-") ? "waiting for \(cause.dropFirst(5))" : cause
  }

  /// In the timeline, what is not told closer.
  var inTimeline: String { self == .executing ? "other work on objects" : words }
}

/// What colours and hatches mean, those that occur.
struct Key {
  let entries: [(style: String, words: String)]

  init(_ uses: some Sequence<MainUse>, inTimeline: Bool = false) {
    let used = Set(uses)
    entries = MainUse.allCases.filter(used.contains).map {
      ($0.style, inTimeline ? $0.inTimeline : $0.words)
    }
  }

  init(entries: [(style: String, words: String)]) { self.entries = entries }

  var html: HTML {
    tag("ul", ["class": "key"]) {
      for entry in entries {
        tag("li") {
          tag(
            "svg",
            [
              "xmlns": "http://www.w3.org/2000/svg", "width": "14", "height": "14",
              "aria-hidden": "true",
            ]
          ) { HTML.void("rect", ["class": entry.style, "width": "14", "height": "14", "rx": "2"]) }
          entry.words
        }
      }
    }
  }
}
