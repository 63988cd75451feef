// The values of an object: the *current* ones, and those last fetched or saved (*committed*).
// Almost all objects are clean, and both are then one buffer with one reference. A second reference
// would be counted at each creation, save and release, in memory that is rarely cached.
//
//   clean     current ──▶ [ … ]        committed is the same
//   edited    current ──▶ [ .x. ]      the first write copies into a new buffer
//             base    ──▶ [ … ]        and keeps the old one
//   new       current ──▶ [ … ]        nothing is committed; for a fault current is empty too

/// The current and committed values of one object.
@usableFromInline
struct ObjectRow {
  private static let none: Int64 = -1

  @usableFromInline private(set) var current: ContiguousArray<Value>
  /// The committed values, if they differ from the current ones.
  private var base: ContiguousArray<Value>?
  /// The version of the committed values; negative if there are none. Below `none` if there were
  /// some, in a row that is gone.
  private var committedVersion: Int64

  /// The row of a clean object, or of a fault if there is no snapshot.
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

  /// The current values, for writing. Committed values stay as they are.
  var values: ContiguousArray<Value> {
    get { current }
    _modify {
      if base == nil, isCommitted { base = current }
      yield &current
      forgetEqualBase()
    }
  }

  /// Whether the committed row is gone, and an insert brings it back.
  var hasLostRow: Bool { committedVersion < Self.none }

  /// Forgets the committed values, because their row is gone.
  mutating func loseRow() {
    base = nil
    committedVersion = Self.none - 1
  }

  mutating func commit(version: Int64) {
    base = nil
    committedVersion = version
  }

  /// The columns whose committed values differ; all of `columns` if nothing is committed.
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

  /// Whether the current values are another row's committed values, in one buffer.
  func sharesCommittedValues(of other: ObjectRow) -> Bool {
    guard other.isCommitted else { return false }
    if let base = other.base { return current.isSameBuffer(as: base) }
    return current.isSameBuffer(as: other.current)
  }

  private mutating func forgetEqualBase() {
    if let base, base.isSameBuffer(as: current) { self.base = nil }
  }
}
