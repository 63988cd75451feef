// What an object holds of its row: the values as its context sees them, and those last fetched or saved
// (the *committed* ones). Almost all objects are clean, and then both are one buffer, held once: a
// second reference would have to be counted whenever an object is made, saved or let go of, in memory
// that the processor has not at hand when there are many.
//
//   clean     current ──▶ [ … ]        committed is the same
//   edited    current ──▶ [ .x. ]      the first write keeps the old buffer and gets one of its own
//             base    ──▶ [ … ]
//   new       current ──▶ [ … ]        nothing is committed; of a fault current is empty, too

/// The values of one object, and what they are compared with.
@usableFromInline
struct ObjectRow {
  private static let none: Int64 = -1

  @usableFromInline private(set) var current: ContiguousArray<Value>
  /// The committed values where they are not the current ones.
  private var base: ContiguousArray<Value>?
  /// That of the committed values; negative if there are none.
  private var committedVersion: Int64

  /// A clean object's; a fault's if there is no snapshot.
  init(_ snapshot: RowSnapshot?) {
    current = snapshot?.values ?? []
    committedVersion = snapshot?.version ?? Self.none
  }

  /// The version of the committed row; 0 if there is none.
  var version: Int64 { max(0, committedVersion) }

  var isCommitted: Bool { committedVersion >= 0 }

  var committed: RowSnapshot? {
    get { isCommitted ? RowSnapshot(values: base ?? current, version: committedVersion) : nil }
    set {
      committedVersion = newValue?.version ?? Self.none
      base = newValue?.values
      forgetEqualBase()
    }
  }

  /// For writing; what is committed stays as it is.
  var values: ContiguousArray<Value> {
    get { current }
    _modify {
      if base == nil, isCommitted { base = current }
      yield &current
      forgetEqualBase()
    }
  }

  /// The current values are committed from now on.
  mutating func commit(version: Int64) {
    base = nil
    committedVersion = version
  }

  /// Of these columns those whose committed values are others; all of them if there are none.
  func changes(among columns: AttributeMask) -> AttributeMask {
    guard isCommitted else { return columns }
    guard let base else { return [] }
    var changed: AttributeMask = []
    columns.forEachIndex { index in
      if current[index] != base[index] { changed.insert(AttributeMask(index: index)) }
    }
    return changed
  }

  private mutating func forgetEqualBase() {
    if let base, base.isSameBuffer(as: current) { self.base = nil }
  }
}
