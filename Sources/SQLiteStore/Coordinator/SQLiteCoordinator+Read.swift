import GRDBSQLite
public import ObjectGraph
import Queues

extension SQLiteCoordinator {
  public func fetch(_ request: FetchRequest) throws -> [FetchedRow] {
    try request.checkIsStored(in: model)
    let query = Query(request.limited(toStore: storeNumber), .rows, in: schema)
    let decoder = (query.shape.withSubentities ? familyDecoders : decoders)[query.shape.entityIndex]
    return try self.request(.reading) {
      try caching(
        { try rows(.query(query.shape), query.parameters, by: decoder) },
        { $0.register(&$1, by: $2) }
      ).rows
    }
  }

  public func count(_ request: FetchRequest) throws -> Int {
    try request.checkIsStored(in: model)
    let query = Query(request.limited(toStore: storeNumber), .count, in: schema)
    let count = try self.request(.reading) {
      try reading(.query(query.shape), query.parameters) { Int(try $0.number() ?? 0) }
    }
    let rest = max(0, count - request.offset)
    return min(rest, request.limit ?? rest)
  }

  public func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try request.checkIsStored(in: model)
    let query = Query(request.limited(toStore: storeNumber), .keys, in: schema)
    return try self.request(.reading) {
      try reading(.query(query.shape), query.parameters) {
        let ids = try $0.ids(in: schema.table(of: request.entity), store: storeNumber)
        Activity.count(.rowsRead, ids.count)
        return ids
      }
    }
  }

  public func snapshot(of id: ManagedObjectID) throws -> RowSnapshot? {
    guard id.isOf(store: storeNumber) else { return nil }
    return try request(.reading) {
      if let snapshot = withCache({ $0.snapshot(of: id) }) { return snapshot }
      return try caching(
        { try row(of: id) },
        { cache, row, number in if let row { cache.take(row, of: id, by: number) } })
    }
  }

  public func cachedSnapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try request(.reading) { withCache { cache in ids.map { cache.snapshot(of: $0) } } }
  }

  public func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try request(.reading) {
      var snapshots = withCache { cache in ids.map { cache.snapshot(of: $0) } }
      let missing = snapshots.indices.filter {
        snapshots[$0] == nil && !ids[$0].isTemporary && ids[$0].isOf(store: storeNumber)
      }
      guard !missing.isEmpty else { return snapshots }
      let rows = try caching(
        { try self.rows(of: missing.map { ids[$0] }) }, { $0.take(&$1, by: $2) }
      ).rows
      let found = Dictionary(rows.map { ($0.id, $0.snapshot) }) { first, _ in first }
      for index in missing { snapshots[index] = found[ids[index]] }
      return snapshots
    }
  }

  public func related(to id: ManagedObjectID, at relationship: Int) throws -> [ManagedObjectID] {
    guard id.isOf(store: storeNumber) else { return [] }
    let toMany = ToManyIndex(entity: Int(id.entityIndex), index: relationship)
    return try request(.reading) {
      try pool.read { connection in
        let statement = try connection.statement(.related(toMany))
        sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
        Activity.count(.statements)
        let target = schema.toMany[toMany.entity][toMany.index].destination
        let ids = try statement.ids(in: target, store: storeNumber)
        Activity.count(.rowsRead, ids.count)
        return ids
      }
    }
  }

  public func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    let ids = ids.filter { $0.isOf(store: storeNumber) }
    guard let first = ids.first else { return [:] }
    let storage = schema.toMany[Int(first.entityIndex)][relationship]
    let owners = Dictionary(ids.map { ($0.primaryKey, $0) }) { first, _ in first }
    var members: [ManagedObjectID: [ManagedObjectID]] = [:]
    try request(.reading) {
      for keys in owners.keys.sorted().boundLists {
        try reading(.sql(storage.relatedToEach(of: keys.count)), Parameters(keys)) { statement in
          var count = 0
          while try statement.step() {
            count += 1
            let member = try statement.id(in: storage.destination, store: storeNumber)
            let owner = owners[sqlite3_column_int64(statement.handle, 2)]
            if let owner { members[owner, default: []].append(member) }
          }
          Activity.count(.rowsRead, count)
        }
      }
    }
    return members
  }

  public func forgetRows(of ids: [ManagedObjectID]) {
    exclusively { withCache { cache in cache.forget(ids) } }
  }

  /// Counts the statement.
  func reading<R>(
    _ key: Connection.StatementKey, _ parameters: Parameters,
    _ body: (PreparedStatement) throws -> R
  ) throws -> R {
    try pool.read { connection in
      Activity.count(.statements)
      return try connection.withStatement(key, parameters, body)
    }
  }

  private func rows(
    _ key: Connection.StatementKey, _ parameters: Parameters, by decoder: EntityDecoder
  ) throws -> DecodedRows {
    try reading(key, parameters) {
      let rows = try decoder.rows(of: $0)
      Activity.count(.rowsRead, rows.count)
      return rows
    }
  }

  private func row(of id: ManagedObjectID) throws -> RowSnapshot? {
    try pool.read { connection in
      let row = try connection.row(of: id, by: decoders[Int(id.entityIndex)])
      if row != nil { Activity.count(.rowsRead) }
      return row
    }
  }

  /// One statement for each entity and `PredicateSQL.longestBoundList` objects.
  private func rows(of ids: [ManagedObjectID]) throws -> DecodedRows {
    var rows = DecodedRows()
    for (entity, ids) in ids.byEntity {
      for keys in ids.map(\.primaryKey).boundLists {
        rows += try self.rows(
          .rows(entity, count: keys.count), Parameters(keys), by: decoders[entity])
      }
    }
    return rows
  }
}

extension Connection {
  /// Counts the statement.
  func row(of id: ManagedObjectID, by decoder: EntityDecoder) throws -> RowSnapshot? {
    let statement = try statement(.row(Int(id.entityIndex)))
    defer { statement.reset() }
    sqlite3_bind_int64(statement.handle, 1, id.primaryKey)
    Activity.count(.statements)
    return try statement.step() ? decoder.row(of: statement.handle).snapshot : nil
  }
}

extension SQLiteCoordinator {
  public func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try request.checkIsStored(in: model)
    let query = DictionaryQuery(request, in: schema, storeNumber: storeNumber)
    let types = ContiguousArray(request.properties.map(\.type))
    let rounded = request.properties.indices.filter { request.properties[$0].isComputedDecimal }
    let rows = try self.request(.reading) {
      try reading(.sql(query.sql), query.parameters) { statement in
        var rows: [ContiguousArray<Value>] = []
        while try statement.step() {
          var row = decodeValues(types, of: statement.handle, from: 0)
          for index in rounded { row[index].roundDecimal() }
          rows.append(row)
        }
        Activity.count(.rowsRead, rows.count)
        return rows
      }
    }
    return request.window(rows)
  }
}

extension DictionaryProperty {
  /// Whether SQLite computes it from doubles.
  fileprivate var isComputedDecimal: Bool {
    type == .decimal && (function == .sum || function == .average)
  }
}

extension Value {
  fileprivate mutating func roundDecimal() {
    if case .decimal(let value) = self { self = .decimal(value.decimal) }
  }
}
