import GRDBSQLite
public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func fetch(_ request: FetchRequest) throws -> [FetchedRow] {
    try request.checkIsStored(in: model)
    let query = Query(rows: request, in: schema)
    return try exclusively {
      try caching({ try rows(of: query) }, { $0.register(&$1) }).rows
    }
  }

  public func count(_ request: FetchRequest) throws -> Int {
    try request.checkIsStored(in: model)
    let query = Query(count: request, in: schema)
    let count = try exclusively {
      try pool.read { connection in
        let statement = try connection.statement(.query(query.shape))
        defer { query.unbind(from: statement.handle) }
        query.bind(to: statement.handle)
        Activity.count(.statements)
        return Int(try statement.number() ?? 0)
      }
    }
    let rest = max(0, count - request.offset)
    return min(rest, request.limit ?? rest)
  }

  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try request.checkIsStored(in: model)
    let query = Query(keys: request, in: schema)
    return try exclusively {
      try pool.read { connection in
        let statement = try connection.statement(.query(query.shape))
        defer { query.unbind(from: statement.handle) }
        query.bind(to: statement.handle)
        var ids: [ManagedObjectID] = []
        while try statement.step() { ids.append(statement.id(store: storeNumber)) }
        Activity.count(.statements)
        Activity.count(.rowsRead, ids.count)
        return ids
      }
    }
  }

  public func snapshot(of id: ManagedObjectID) throws -> RowSnapshot? {
    try exclusively {
      if let snapshot = withCache({ $0.snapshot(of: id) }) { return snapshot }
      return try caching(
        { try row(of: id) }, { cache, row in if let row { cache.take(row, of: id) } })
    }
  }

  public func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try exclusively {
      var snapshots = withCache { cache in ids.map { cache.snapshot(of: $0) } }
      // An object that was never saved has no row.
      let missing = snapshots.indices.filter { snapshots[$0] == nil && !ids[$0].isTemporary }
      guard !missing.isEmpty else { return snapshots }
      let rows = try caching(
        { try self.rows(of: missing.map { ids[$0] }) }, { $0.take(&$1) }
      ).rows
      let found = Dictionary(rows.map { ($0.id, $0.snapshot) }) { first, _ in first }
      for index in missing { snapshots[index] = found[ids[index]] }
      return snapshots
    }
  }

  public func related(
    to id: ManagedObjectID, at relationship: Int
  ) throws -> [ManagedObjectID] {
    let toMany = ToManyIndex(entity: Int(id.entityIndex), index: relationship)
    return try exclusively {
      try pool.read { connection in
        let statement = try connection.statement(.related(toMany))
        defer { statement.reset() }
        sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
        var ids: [ManagedObjectID] = []
        while try statement.step() { ids.append(statement.id(store: storeNumber)) }
        Activity.count(.statements)
        Activity.count(.rowsRead, ids.count)
        return ids
      }
    }
  }

  public func forgetRows(of ids: [ManagedObjectID]) {
    exclusively { withCache { cache in cache.forget(ids) } }
  }

  private func rows(of query: Query) throws -> DecodedRows {
    try pool.read { connection in
      let statement = try connection.statement(.query(query.shape))
      defer { query.unbind(from: statement.handle) }
      query.bind(to: statement.handle)
      let rows = try decoder(of: query.shape).rows(of: statement)
      Activity.count(.statements)
      Activity.count(.rowsRead, rows.count)
      return rows
    }
  }

  private func row(of id: ManagedObjectID) throws -> RowSnapshot? {
    try pool.read { connection in
      let entity = Int(id.entityIndex)
      let statement = try connection.statement(.row(entity))
      defer { statement.reset() }
      sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
      Activity.count(.statements)
      guard try statement.step() else { return nil }
      Activity.count(.rowsRead)
      return try decoders[entity].row(of: statement.handle).snapshot
    }
  }

  private func decoder(of shape: QueryShape) -> EntityDecoder {
    shape.withSubentities
      ? familyDecoders[shape.entityIndex] : decoders[shape.entityIndex]
  }

  /// The rows that exist, in any order. Runs one statement for each entity, and one more for each
  /// further `PredicateSQL.longestBoundList` objects.
  private func rows(of ids: [ManagedObjectID]) throws -> DecodedRows {
    var rows = DecodedRows()
    for (entity, ids) in Dictionary(grouping: ids, by: \.entityIndex) {
      var keys = ids.map(\.primaryKey)[...]
      while !keys.isEmpty {
        let chunk = Array(keys.prefix(PredicateSQL.longestBoundList))
        rows += try self.rows(of: Query(keys: chunk, entityIndex: Int(entity)))
        keys = keys.dropFirst(chunk.count)
      }
    }
    return rows
  }
}
