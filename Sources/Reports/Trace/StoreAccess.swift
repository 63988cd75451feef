import Measurement

/// An access to the store by one thread: a writing transaction, or a read.
struct StoreAccess {
  let span: TapeSpans.Span
  var commits: [TapeSpans.Moment] = []
  var checkpoints: [TapeSpans.Span] = []
}

extension TapeSpans {
  /// In the order of their starts. An access inside another one of its kind is part of that.
  var accesses: [StoreAccess] {
    var accesses: [Int: StoreAccess] = [:]
    for (place, span) in spans.enumerated() where span.mark == .write || span.mark == .read {
      if enclosing(span.mark, from: span.outer) == nil { accesses[place] = StoreAccess(span: span) }
    }
    for span in spans where span.mark == .checkpoint {
      if let write = outermostWrite(from: span.outer) { accesses[write]?.checkpoints.append(span) }
    }
    for moment in moments where moment.mark == .committed {
      if let write = outermostWrite(from: moment.span) { accesses[write]?.commits.append(moment) }
    }
    return accesses.sorted { $0.key < $1.key }.map(\.value)
  }

  private func outermostWrite(from place: Int?) -> Int? {
    var outermost: Int?
    var place = place
    while let write = enclosing(.write, from: place) {
      outermost = write
      place = spans[write].outer
    }
    return outermost
  }
}
