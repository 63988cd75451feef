/// How main used a stretch of time, in nanoseconds: execution by tag, waits by cause. All entries
/// add up to the stretch.
package struct TimeUse: Sendable, Equatable {
  private var executing = [Int64](repeating: 0, count: SliceTag.allCases.count)
  /// Waits inside database slices. Other waits count as execution of their slice.
  private var waiting = [Int64](repeating: 0, count: WaitCause.allCases.count)

  package init() {}

  package subscript(tag: SliceTag) -> Int64 {
    get { executing[tag.index] }
    set { executing[tag.index] = newValue }
  }

  package subscript(cause: WaitCause) -> Int64 {
    get { waiting[cause.index] }
    set { waiting[cause.index] = newValue }
  }

  package var databaseExecuting: Int64 {
    SliceTag.allCases.reduce(0) { $1.isDatabase ? $0 + self[$1] : $0 }
  }

  package var databaseWaiting: Int64 { waiting.reduce(0, +) }

  package var total: Int64 { executing.reduce(0, +) + databaseWaiting }

  /// The name of the largest entry: a tag, or `wait-` and a cause.
  package var mostly: String {
    let tags = SliceTag.allCases.map { ($0.rawValue, self[$0]) }
    let causes = WaitCause.allCases.map { ("wait-\($0.rawValue)", self[$0]) }
    return (tags + causes).max { $0.1 < $1.1 }?.0 ?? ""
  }

  package static func += (a: inout TimeUse, b: TimeUse) {
    for index in a.executing.indices { a.executing[index] += b.executing[index] }
    for index in a.waiting.indices { a.waiting[index] += b.waiting[index] }
  }

  package mutating func clear() {
    for index in executing.indices { executing[index] = 0 }
    for index in waiting.indices { waiting[index] = 0 }
  }
}

extension SliceTag {
  /// The tag's index in an array of all tags.
  package var index: Int {
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
  /// The cause's index in an array of all causes.
  package var index: Int {
    switch self {
    case .parent: 0
    case .coordinator: 1
    case .sqlite: 2
    case .queue: 3
    case .other: 4
    }
  }
}
