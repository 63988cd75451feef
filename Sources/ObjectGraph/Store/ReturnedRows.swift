import Queues

// A merge may receive a deletion after the row was inserted again:
//
//   theirs    delete ─ save ──────────────────────┐
//   mine               insert again ─ save ─ … ─ merge: the row exists
//
// A merge reads the deleted rows again only if a row came back since that save.

/// How often deleted rows came back, by store: a save inserted them again, or a context took back
/// their unsaved deletion.
enum ReturnedRows {
  private static let counts = Lock<[Int32: Int]>([:])

  static func count(inStore number: Int32) -> Int { counts.withLock { $0[number] ?? 0 } }

  static func add(inStore number: Int32) { counts.withLock { $0[number, default: 0] += 1 } }
}
