/// What a stretch of main's time went to, in nanoseconds: executing by tag, waiting by cause. Adds
/// up to the stretch.
package struct TimeUse: Sendable, Equatable {
  private var executing = [Int64](repeating: 0, count: SliceTag.allCases.count)
  /// Waits inside database slices; others are counted as executing of their slice.
  private var waiting = [Int64](repeating: 0, count: WaitCause.allCases.count)

  package init() {}

  package subscript(tag: SliceTag) -> Int64 {
    get { executing[tag.place] }
    set { executing[tag.place] = newValue }
  }

  package subscript(cause: WaitCause) -> Int64 {
    get { waiting[cause.place] }
    set { waiting[cause.place] = newValue }
  }

  package var databaseExecuting: Int64 {
    SliceTag.allCases.reduce(0) { $1.isDatabase ? $0 + self[$1] : $0 }
  }

  package var databaseWaiting: Int64 { waiting.reduce(0, +) }

  package var total: Int64 { executing.reduce(0, +) + databaseWaiting }

  /// What most of it went to: a tag's name, or `wait-` and a cause's.
  package var mostly: String {
    let tags = SliceTag.allCases.map { ($0.rawValue, self[$0]) }
    let causes = WaitCause.allCases.map { ("wait-\($0.rawValue)", self[$0]) }
    return (tags + causes).max { $0.1 < $1.1 }?.0 ?? ""
  }

  package static func += (a: inout TimeUse, b: TimeUse) {
    for place in a.executing.indices { a.executing[place] += b.executing[place] }
    for place in a.waiting.indices { a.waiting[place] += b.waiting[place] }
  }

  package mutating func clear() {
    for place in executing.indices { executing[place] = 0 }
    for place in waiting.indices { waiting[place] = 0 }
  }
}

extension SliceTag {
  /// The position among all tags, so that time can be kept in an array.
  package var place: Int {
    switch self {
    case .perform: 0
    case .fetch: 1
    case .fault: 2
    case .save: 3
    case .pushUp: 4
    case .merge: 5
    case .changes: 6
    case .list: 7
    case .ui: 8
    case .heartbeat: 9
    case .harness: 10
    }
  }
}

extension WaitCause {
  /// The position among all causes.
  package var place: Int {
    switch self {
    case .parent: 0
    case .coordinator: 1
    case .sqlite: 2
    case .queue: 3
    case .other: 4
    }
  }
}
