/// The slices and waits that are open on a thread, innermost last, and what their time went to. Time
/// belongs to the innermost alone:
///
///     perform ├──────┐         ┌─────────┤         perform  2 + 3
///     save           ├──┐   ┌──┤                   save     1 + 1
///     wait              ├───┤                      parent   1
///
/// A wait inside a slice that is not the database's stays time of that slice.
package struct SliceLedger: Sendable {
  private struct Entry {
    /// The innermost slice, also where a wait is open inside it.
    var tag: SliceTag
    /// Whom the time is charged to instead of the slice.
    var cause: WaitCause?
  }

  package private(set) var use = TimeUse()
  private var open: [Entry] = []
  /// Until when time is accounted for.
  package private(set) var mark = Instant(nanoseconds: 0)

  package init() {}

  package mutating func begin(_ tag: SliceTag, at now: Instant) {
    account(until: now)
    open.append(Entry(tag: tag))
  }

  package mutating func willWait(for cause: WaitCause, at now: Instant) {
    account(until: now)
    let tag = open.last?.tag ?? .harness
    open.append(Entry(tag: tag, cause: tag.isDatabase ? cause : nil))
  }

  /// The innermost slice or wait ends.
  package mutating func end(at now: Instant) {
    account(until: now)
    open.removeLast()
  }

  /// Accounts for the time until now. Counting begins anew with `clear`; what is open stays open.
  package mutating func account(until now: Instant) {
    defer { mark = now }
    guard let entry = open.last, now > mark else { return }
    let time = now.nanoseconds - mark.nanoseconds
    if let cause = entry.cause { use[cause] += time } else { use[entry.tag] += time }
  }

  package mutating func clear() { use.clear() }

  /// Begins what is open anew on a tape, the outermost first.
  func begin(on tape: ThreadTimeline, at now: Instant, statements: Int) {
    for entry in open {
      if let cause = entry.cause {
        tape.begin(.wait, at: now, code: UInt8(cause.place))
      } else {
        tape.begin(.slice, at: now, code: UInt8(entry.tag.place), statements: statements)
      }
    }
  }
}
