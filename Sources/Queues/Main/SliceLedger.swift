/// The open slices and waits of a thread, innermost last. Time is charged to the innermost only:
///
///     perform ├──────┐         ┌─────────┤         perform  2 + 3
///     save           ├──┐   ┌──┤                   save     1 + 1
///     wait              ├───┤                      parent   1
///
/// A wait inside a slice that is not database work is charged to the slice.
package struct SliceLedger: Sendable {
  private struct Entry {
    /// A wait keeps the tag of the slice around it.
    var tag: SliceTag
    /// Charged instead of the slice.
    var cause: WaitCause?
  }

  package private(set) var use = TimeUse()
  private var open: [Entry] = []
  /// The time up to which all is accounted for.
  package private(set) var mark = Instant(nanoseconds: 0)

  /// Whether only the measurement itself is open around the innermost slice.
  var isOutermost: Bool { open.dropLast().allSatisfy { $0.tag == .harness } }

  package mutating func begin(_ tag: SliceTag, at now: Instant) {
    account(until: now)
    open.append(Entry(tag: tag))
  }

  package mutating func willWait(for cause: WaitCause, at now: Instant) {
    account(until: now)
    let tag = open.last?.tag ?? .harness
    open.append(Entry(tag: tag, cause: tag.isDatabase ? cause : nil))
  }

  package mutating func end(at now: Instant) {
    account(until: now)
    open.removeLast()
  }

  /// Charges the time until `now` to the innermost entry.
  package mutating func account(until now: Instant) {
    defer { mark = now }
    guard let entry = open.last, now > mark else { return }
    let time = now.nanoseconds - mark.nanoseconds
    if let cause = entry.cause { use[cause] += time } else { use[entry.tag] += time }
  }

  /// Open entries stay.
  package mutating func clear() { use.clear() }

  /// Outermost first.
  func begin(on tape: ThreadTimeline, at now: Instant, statements: Int) {
    for entry in open {
      if let cause = entry.cause {
        tape.begin(.wait, at: now, code: UInt8(cause.rawValue))
      } else {
        tape.begin(.slice, at: now, code: UInt8(entry.tag.rawValue), statements: statements)
      }
    }
  }
}
