import ObjectGraph

#if TOPOBENCH_PLANTED_BUGS
  import Queues
#endif

// In pool mode, a fetch may register a row that a save has changed since the fetch read it:
//
//   reader  ├─ began ─ SELECT (version 1) ──────────────────────── registered ─┤
//   writer        ├─ began ─ UPDATE (version 2) ─ COMMIT ─ saved ─┤
//
// An entry never returns to an older version. While requests run, a removed entry leaves its
// version behind as a *floor*, and no older row is accepted. The floor of a deleted row is above
// every version. When no request runs, the floors are dropped.

/// The coordinator's lock protects it.
struct RowCache {
  fileprivate struct Entry {
    /// Nil if no known row is new enough.
    var snapshot: RowSnapshot?
    var registrations: Int32
  }

  private var entries: [ManagedObjectID: Entry] = [:]
  private var floors: [ManagedObjectID: Int64] = [:]
  private var requestsUnderWay = 0

  var count: Int { entries.count }

  func snapshot(of id: ManagedObjectID) -> RowSnapshot? { entries[id]?.snapshot }

  /// The next fault of each object runs SQL.
  mutating func forget(_ ids: [ManagedObjectID]) {
    for id in ids { entries[id]?.snapshot = nil }
  }

  /// Call it before a request reads or removes rows.
  mutating func requestBegan() { requestsUnderWay += 1 }

  mutating func requestEnded() {
    requestsUnderWay -= 1
    if requestsUnderWay == 0, !floors.isEmpty { floors.removeAll() }
  }

  /// Stores rows read since the request began, and counts a registration for each.
  mutating func register(_ rows: inout DecodedRows) {
    entries.reserveCapacity(entries.count + rows.count)
    rows.handOver { id, snapshot in
      #if TOPOBENCH_PLANTED_BUGS
        if PlantedBug.staleRow.isActive { return register(id, snapshot) }
      #endif
      let isCurrent = floors.isEmpty || snapshot.version >= floors[id] ?? 0
      register(id, isCurrent ? snapshot : nil)
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
  mutating func take(_ rows: inout DecodedRows) {
    rows.handOver { id, snapshot in take(snapshot, of: id) }
  }

  mutating func take(_ snapshot: consuming RowSnapshot, of id: ManagedObjectID) {
    guard let index = entries.index(forKey: id),
      floors.isEmpty || snapshot.version >= floors[id] ?? 0
    else { return }
    entries.values[index].take(snapshot)
  }

  mutating func saved(_ outcome: SaveTransaction.Outcome) {
    saved(outcome.request, insertedIDs: outcome.insertedIDs, outcome.returnedVersions)
    forget(outcome.cleared.map(\.id))
    guard requestsUnderWay > 1 else { return }
    for row in outcome.cleared { raiseFloor(of: row.id, to: row.version) }
  }

  /// Registers the inserted rows. Call it before the save's request ends.
  mutating func saved(
    _ request: SaveRequest, insertedIDs: [ManagedObjectID],
    _ returnedVersions: [ManagedObjectID: Int64] = [:]
  ) {
    let othersAreUnderWay = requestsUnderWay > 1
    entries.reserveCapacity(entries.count + insertedIDs.count)
    for (index, id) in insertedIDs.enumerated() {
      // Since the commit, another context may have fetched, changed or deleted the row.
      let version = returnedVersions.isEmpty ? 1 : returnedVersions[id] ?? 1
      let isCurrent = floors.isEmpty || floors[id] ?? 0 <= version
      register(
        id, isCurrent ? RowSnapshot(values: request.inserts[index].values, version: version) : nil)
    }
    for index in request.updates.indices {
      let id = request.updates[index].id
      let version = request.updates[index].version + 1
      take(RowSnapshot(values: request.updates[index].values, version: version), of: id)
      if othersAreUnderWay, entries[id] == nil { raiseFloor(of: id, to: version) }
    }
    for delete in request.deletes {
      entries.removeValue(forKey: delete.id)
      if othersAreUnderWay { raiseFloor(of: delete.id, to: .max) }
    }
  }

  private mutating func raiseFloor(of id: ManagedObjectID, to version: Int64) {
    floors[id] = max(floors[id] ?? 0, version)
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
