/// The open slices and waits of a thread, innermost last. Time counts for the innermost only:
///
///     perform ├──────┐         ┌─────────┤         perform  2 + 3
///     save           ├──┐   ┌──┤                   save     1 + 1
///     wait              ├───┤                      parent   1
///
/// A wait inside a slice that is not database work counts as time of the slice.
package struct SliceLedger: Sendable {
  private struct Entry {
    /// A wait keeps the tag of the slice around it.
    var tag: SliceTag
    /// If set, it replaces the tag in the sums.
    var cause: WaitCause?
  }

  package private(set) var use = TimeUse()
  private var open: [Entry] = []
  /// All time before this instant has been counted.
  package private(set) var mark = Instant(nanoseconds: 0)

  /// Whether the innermost slice has no other slice around it than the harness's.
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

  /// Adds the time until `now` to the innermost entry.
  package mutating func account(until now: Instant) {
    defer { mark = now }
    guard let entry = open.last, now > mark else { return }
    let time = now.nanoseconds - mark.nanoseconds
    if let cause = entry.cause { use[cause] += time } else { use[entry.tag] += time }
  }

  /// Open entries stay.
  package mutating func clear() { use.clear() }

  /// Writes the open entries, outermost first.
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
