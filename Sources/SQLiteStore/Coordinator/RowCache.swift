import ObjectGraph

#if TOPOBENCH_PLANTED_BUGS
  import Queues
#endif

// In pool mode, a fetch can register a row that a save has changed since the fetch read it:
//
//   reader  ├─ began ─ SELECT (version 1) ──────────────────────── registered ─┤
//   writer        ├─ began ─ UPDATE (version 2) ─ COMMIT ─ saved ─┤
//
// An entry never returns to an older version. While requests run, a removed entry leaves its
// version behind as a *floor*, and no older row is accepted. The floor of a deleted row is above
// every version. The version of a forgotten row is unknown: the cache refuses the row from requests
// that had begun before. When no request runs, the floors are dropped.

/// The coordinator's lock protects it.
struct RowCache {
  fileprivate struct Entry {
    /// Nil if no known row is new enough.
    var snapshot: RowSnapshot?
    var registrations: Int32
  }

  /// Requests are numbered from 1, in the order in which they begin.
  typealias RequestNumber = Int

  private struct Floor {
    /// The oldest version that is accepted.
    var version: Int64 = 0
    /// The row is refused from requests up to this one.
    var request: RequestNumber = 0
  }

  private var entries: [ManagedObjectID: Entry] = [:]
  private var floors: [ManagedObjectID: Floor] = [:]
  private var requestsBegun: RequestNumber = 0
  private var requestsUnderWay = 0

  var count: Int { entries.count }

  func snapshot(of id: ManagedObjectID) -> RowSnapshot? { entries[id]?.snapshot }

  /// The next fault of each object runs SQL.
  mutating func forget(_ ids: [ManagedObjectID]) {
    for id in ids { entries[id]?.snapshot = nil }
    guard requestsUnderWay > 0 else { return }
    for id in ids { floors[id, default: Floor()].request = requestsBegun }
  }

  /// Call it before a request reads or removes rows. Returns the request's number.
  mutating func requestBegan() -> RequestNumber {
    requestsUnderWay += 1
    requestsBegun += 1
    return requestsBegun
  }

  mutating func requestEnded() {
    requestsUnderWay -= 1
    if requestsUnderWay == 0, !floors.isEmpty { floors.removeAll() }
  }

  /// Stores accepted rows, and counts a registration for each row, accepted or not.
  mutating func register(_ rows: inout DecodedRows, by request: RequestNumber) {
    entries.reserveCapacity(entries.count + rows.count)
    rows.handOver { id, snapshot in
      #if TOPOBENCH_PLANTED_BUGS
        if PlantedBug.staleRow.isActive { return register(id, snapshot) }
      #endif
      register(id, accepts(snapshot.version, of: id, by: request) ? snapshot : nil)
    }
  }

  mutating func register(_ ids: [ManagedObjectID]) {
    for id in ids where !id.isTemporary { register(id, nil) }
  }

  @inline(__always)
  private mutating func register(_ id: ManagedObjectID, _ snapshot: consuming RowSnapshot?) {
    entries[id, default: Entry(snapshot: nil, registrations: 0)].register(snapshot)
  }

  mutating func unregister(_ ids: [ManagedObjectID]) {
    for id in ids where !id.isTemporary {
      guard let index = entries.index(forKey: id) else { continue }
      entries.values[index].registrations -= 1
      if entries.values[index].registrations == 0 {
        let version = entries.remove(at: index).value.snapshot?.version
        if let version, requestsUnderWay > 0 { raiseFloor(of: id, to: version) }
      }
    }
  }

  /// Stores rows read since the request began, if their objects are registered.
  mutating func take(_ rows: inout DecodedRows, by request: RequestNumber) {
    rows.handOver { id, snapshot in take(snapshot, of: id, by: request) }
  }

  mutating func take(
    _ snapshot: consuming RowSnapshot, of id: ManagedObjectID, by request: RequestNumber
  ) {
    guard let index = entries.index(forKey: id), accepts(snapshot.version, of: id, by: request)
    else { return }
    entries.values[index].take(snapshot)
  }

  @inline(__always)
  private func accepts(
    _ version: Int64, of id: ManagedObjectID, by request: RequestNumber
  ) -> Bool {
    guard !floors.isEmpty, let floor = floors[id] else { return true }
    return version >= floor.version && request > floor.request
  }

  mutating func saved(_ outcome: SaveTransaction.Outcome, by number: RequestNumber) {
    saved(outcome.request, insertedIDs: outcome.insertedIDs, outcome.returnedVersions, by: number)
    forget(outcome.cleared.map(\.id))
  }

  /// Registers the inserted rows. Call it before the save's request ends.
  mutating func saved(
    _ request: SaveRequest, insertedIDs: [ManagedObjectID],
    _ returnedVersions: [ManagedObjectID: Int64] = [:], by number: RequestNumber
  ) {
    let othersAreUnderWay = requestsUnderWay > 1
    entries.reserveCapacity(entries.count + insertedIDs.count)
    for (index, id) in insertedIDs.enumerated() {
      // Since the commit, another context may have fetched, changed or deleted the row.
      let version = returnedVersions.isEmpty ? 1 : returnedVersions[id] ?? 1
      let isCurrent = accepts(version, of: id, by: number)
      register(
        id, isCurrent ? RowSnapshot(values: request.inserts[index].values, version: version) : nil)
    }
    for index in request.updates.indices {
      let id = request.updates[index].id
      let version = request.updates[index].version + 1
      let snapshot = RowSnapshot(values: request.updates[index].values, version: version)
      take(snapshot, of: id, by: number)
      if othersAreUnderWay, entries[id] == nil { raiseFloor(of: id, to: version) }
    }
    for delete in request.deletes {
      entries.removeValue(forKey: delete.id)
      if othersAreUnderWay { raiseFloor(of: delete.id, to: .max) }
    }
  }

  private mutating func raiseFloor(of id: ManagedObjectID, to version: Int64) {
    floors[id, default: Floor()].version = max(floors[id]?.version ?? 0, version)
  }
}

// Consuming a snapshot counts no reference and does not touch its buffer.
extension RowCache.Entry {
  fileprivate mutating func register(_ new: consuming RowSnapshot?) {
    registrations += 1
    guard let new else { return }
    take(new)
  }

  fileprivate mutating func take(_ new: consuming RowSnapshot) {
    if new.version >= snapshot?.version ?? 0 { snapshot = new }
  }
}
