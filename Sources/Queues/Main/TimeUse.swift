/// How main used a stretch of time, in nanoseconds: execution by tag, waits by cause. All entries
/// add up to the stretch.
package struct TimeUse: Sendable, Equatable {
  private var executing = [Int64](repeating: 0, count: SliceTag.allCases.count)
  /// Waits inside database slices. Other waits count as execution of their slice.
  private var waiting = [Int64](repeating: 0, count: WaitCause.allCases.count)

  package subscript(tag: SliceTag) -> Int64 {
    get { executing[tag.rawValue] }
    set { executing[tag.rawValue] = newValue }
  }

  package subscript(cause: WaitCause) -> Int64 {
    get { waiting[cause.rawValue] }
    set { waiting[cause.rawValue] = newValue }
  }

  package var databaseExecuting: Int64 {
    SliceTag.allCases.reduce(0) { $1.isDatabase ? $0 + self[$1] : $0 }
  }

  package var databaseWaiting: Int64 { waiting.reduce(0, +) }

  /// Main's reading, writing and drawing, with its waits.
  package var work: Int64 { databaseExecuting + databaseWaiting + self[.ui] }

  package var total: Int64 { executing.reduce(0, +) + databaseWaiting }

  /// The largest entry: a tag, or `wait-` and a cause.
  package var mostly: String {
    let tags = SliceTag.allCases.map { ($0.name, self[$0]) }
    let causes = WaitCause.allCases.map { ("wait-\($0.name)", self[$0]) }
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
