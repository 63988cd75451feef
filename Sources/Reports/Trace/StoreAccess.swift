import Measurement

/// An access to the store by one thread: a writing transaction, or a read.
struct StoreAccess {
  let span: TapeSpans.Span
  var commits: [TapeSpans.Moment] = []
  var checkpoints: [TapeSpans.Span] = []
}

extension TapeSpans {
  /// By start. An access inside another one of its kind is part of that.
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
    for moment in moments where moment.mark == .committed {
      guard let write = enclosing(.write, from: moment.span).first else { continue }
      accesses[write]?.commits.append(moment)
    }
    return accesses.sorted { $0.key < $1.key }.map(\.value)
  }
}
