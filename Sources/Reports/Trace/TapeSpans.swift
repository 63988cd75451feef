import Measurement

struct TapeSpans {
  struct Span {
    let mark: RecordedTimeline.Mark
    let code: Int
    let queue: Int
    var change: Int
    let start: Int64
    var end: Int64
    var statements: Int
    /// The queue of the innermost `hold` around the span. Nil without one: the thread's own queue.
    let holder: Int?
    /// The index of the span around it.
    let outer: Int?
    /// Whether the wait counts towards `main_waiting_ms`.
    var isCharged = false
    /// Whether it was unfinished when the window closed or the tape was full.
    var isCut = false
  }

  private(set) var spans: [Span] = []
  /// Events without a length, each with the index of the span around it.
  private(set) var moments: [(event: RecordedTimeline.Event, span: Int?)] = []
  private var open: [Int] = []
  private let tags: [RecordedTimeline.Tag]

  /// - Parameter length: of the window, which cuts unfinished spans.
  init(_ tape: RecordedTimeline.Tape, tags: [RecordedTimeline.Tag], length: Int64) {
    self.tags = tags
    for event in tape.events where event.time <= length {
      switch event.mark {
      case .end: end(event)
      case .carries: carry(event.change)
      case let mark where mark.isSpan: begin(event)
      default: moments.append((event, open.last))
      }
    }
    let last = tape.dropped > 0 ? tape.events.last?.time ?? length : length
    for place in open {
      spans[place].end = min(last, length)
      spans[place].isCut = true
    }
  }

  func isDatabase(_ span: Span) -> Bool {
    span.mark == .slice && tags.indices.contains(span.code) && tags[span.code].isDatabase
  }

  private mutating func begin(_ event: RecordedTimeline.Event) {
    let outer = open.last
    var span = Span(
      mark: event.mark, code: event.code, queue: event.subject, change: event.change,
      start: event.time, end: event.time, statements: event.value,
      holder: outer.flatMap { spans[$0].mark == .hold ? spans[$0].queue : spans[$0].holder },
      outer: outer)
    if event.mark == .wait { span.isCharged = isInDatabase(outer) }
    spans.append(span)
    open.append(spans.count - 1)
  }

  private mutating func end(_ event: RecordedTimeline.Event) {
    guard let place = open.popLast() else { return }
    spans[place].end = event.time
    spans[place].statements =
      spans[place].mark == .slice ? max(0, event.value - spans[place].statements) : 0
  }

  private mutating func carry(_ change: Int) {
    guard let place = open.last(where: { spans[$0].mark == .hold }) else { return }
    spans[place].change = change
  }

  /// Whether the innermost slice here is database work.
  private func isInDatabase(_ index: Int?) -> Bool {
    enclosing(.slice, from: index).last.map { isDatabase(spans[$0]) } ?? false
  }

  /// The spans of this kind from the outermost one to the given one, inclusive.
  func enclosing(_ mark: RecordedTimeline.Mark, from index: Int?) -> [Int] {
    var found: [Int] = []
    var next = index
    while let index = next {
      if spans[index].mark == mark { found.append(index) }
      next = spans[index].outer
    }
    return found.reversed()
  }
}

/// An access to the store by one thread: a writing transaction, or a read.
struct StoreAccess {
  let span: TapeSpans.Span
  var commits: [RecordedTimeline.Event] = []
  var checkpoints: [TapeSpans.Span] = []
}

extension TapeSpans {
  /// The accesses by start. An access inside another one of its kind is part of the outer one.
  var accesses: [StoreAccess] {
    var accesses: [Int: StoreAccess] = [:]
    for (index, span) in spans.enumerated() where span.mark == .write || span.mark == .read {
      if enclosing(span.mark, from: span.outer).isEmpty {
        accesses[index] = StoreAccess(span: span)
      }
    }
    for span in spans where span.mark == .checkpoint {
      guard let write = enclosing(.write, from: span.outer).first else { continue }
      accesses[write]?.checkpoints.append(span)
    }
    for (event, span) in moments where event.mark == .committed {
      guard let write = enclosing(.write, from: span).first else { continue }
      accesses[write]?.commits.append(event)
    }
    return accesses.sorted { $0.key < $1.key }.map(\.value)
  }
}
