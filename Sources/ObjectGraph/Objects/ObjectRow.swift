// The values of an object: the *current* ones, and those last fetched or saved (*committed*). Most
// objects are clean, and hold one reference for both. A second one would be counted at each
// creation, save and release, in memory that is rarely cached.
//
//   clean     current ──▶ [ … ]        committed is the same
//   edited    current ──▶ [ .x. ]      the first write copies into a new buffer
//             base    ──▶ [ … ]        and keeps the old one
//   new       current ──▶ [ … ]        nothing is committed; for a fault current is empty too

@usableFromInline
struct ObjectRow {
  private static let none: Int64 = -1

  @usableFromInline private(set) var current: ContiguousArray<Value>
  /// The committed values, if they differ.
  private var base: ContiguousArray<Value>?
  /// Negative if nothing is committed; below `none` if the row is gone.
  private var committedVersion: Int64

  init(_ snapshot: RowSnapshot?) {
    current = snapshot?.values ?? []
    committedVersion = snapshot?.version ?? Self.none
  }

  /// 0 if nothing is committed.
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

  /// For writing. Committed values stay.
  var values: ContiguousArray<Value> {
    get { current }
    _modify {
      if base == nil, isCommitted { base = current }
      yield &current
      forgetEqualBase()
    }
  }

  /// Whether the row is gone, so that an insert brings it back.
  var hasLostRow: Bool { committedVersion < Self.none }

  mutating func loseRow() {
    base = nil
    committedVersion = Self.none - 1
  }

  mutating func commit(version: Int64) {
    base = nil
    committedVersion = version
  }

  /// The changed ones among `columns`; all of them if nothing is committed.
  @inline(__always)
  func changes(among columns: AttributeMask) -> AttributeMask {
    guard isCommitted else { return columns }
    guard let base else { return [] }
    var changed: AttributeMask = []
    columns.forEachIndex { index in
      if current[index] != base[index] { changed.insert(AttributeMask(index: index)) }
    }
    return changed
  }

  func sharesCommittedValues(of other: ObjectRow) -> Bool {
    guard other.isCommitted else { return false }
    if let base = other.base { return current.isSameBuffer(as: base) }
    return current.isSameBuffer(as: other.current)
  }

  private mutating func forgetEqualBase() {
    if let base, base.isSameBuffer(as: current) { self.base = nil }
  }
}
