import GRDBSQLite
import ObjectGraph
import Queues

// All entities of one hierarchy share a key counter, because they share a table.

extension Connection {
  /// Replaces each temporary ID by one with a newly reserved key.
  ///
  /// - Throws: `Damage` if the store has no usable counter for the entity.
  func permanentIDs(for ids: some Collection<ManagedObjectID>) throws -> [ManagedObjectID] {
    var needed = Array(repeating: 0, count: schema.tables.count)
    for id in ids where id.isTemporary { needed[root(of: id)] += 1 }
    var next = Array(repeating: Int64(0), count: needed.count)
    for root in needed.indices where needed[root] > 0 {
      next[root] = try reserveKeys(needed[root], root: root)
    }
    return ids.map { id in
      guard id.isTemporary else { return id }
      let root = root(of: id)
      defer { next[root] += 1 }
      return ManagedObjectID(
        store: storeNumber, entityIndex: id.entityIndex, primaryKey: next[root])
    }
  }

  func reserveKeys(_ count: Int, root: Int) throws -> Int64 {
    let statement = try statement(.keyReservation)
    sqlite3_bind_int64(statement.handle, 1, Int64(count))
    sqlite3_bind_int64(statement.handle, 2, Int64(root + 1))
    Activity.count(.statements)
    // SQLite turns a sum above Int64.max into a real number, which reads as Int64.max.
    guard let last = try statement.number(), last >= count, last < .max else {
      let name = schema.tables[root].entity.name
      throw Damage(description: "Z_PRIMARYKEY has no usable key counter for '\(name)'")
    }
    return last - Int64(count) + 1
  }

  @inline(__always)
  private func root(of id: ManagedObjectID) -> Int { schema.tables[Int(id.entityIndex)].rootIndex }
}

extension SaveRequest {
  /// Replaces temporary IDs in every row and pair.
  ///
  /// - Parameters:
  ///   - ids: the permanent IDs of the inserts, in order.
  ///   - unknown: receives temporary IDs that are not among the inserts. Null replaces them.
  func resolved(
    _ ids: [ManagedObjectID], in schema: Schema, unknown: inout Set<ManagedObjectID>
  ) -> SaveRequest {
    guard schema.hasRelationships else { return self }
    var resolution = IDResolution(inserts, ids, schema)
    var request = self
    request.inserts = zip(inserts, ids).map { insert, id in
      Insert(id: id, values: resolution.values(insert.values, of: id))
    }
    request.updates = updates.map { update in
      Update(
        id: update.id, values: resolution.values(update.values, of: update.id),
        changed: update.changed, version: update.version)
    }
    request.linked = linked.compactMap { resolution.link($0) }
    request.unlinked = unlinked.filter { !$0.source.isTemporary && !$0.destination.isTemporary }
    unknown = resolution.unknown
    return request
  }
}

private struct IDResolution {
  private let schema: Schema
  private var permanent: [ManagedObjectID: ManagedObjectID] = [:]
  private(set) var unknown: Set<ManagedObjectID> = []

  init(_ inserts: [SaveRequest.Insert], _ ids: [ManagedObjectID], _ schema: Schema) {
    self.schema = schema
    for (insert, id) in zip(inserts, ids) where insert.id.isTemporary { permanent[insert.id] = id }
  }

  mutating func values(
    _ values: ContiguousArray<Value>, of id: ManagedObjectID
  ) -> ContiguousArray<Value> {
    let columns = schema.tables[Int(id.entityIndex)].toOneColumns
    guard columns.contains(where: { values[$0].objectID?.isTemporary == true }) else {
      return values
    }
    var values = values
    for column in columns {
      if let target = values[column].objectID {
        values[column] = self.id(target).map { .object($0) } ?? .null
      }
    }
    return values
  }

  mutating func link(_ link: SaveRequest.Link) -> SaveRequest.Link? {
    guard let source = id(link.source), let destination = id(link.destination) else { return nil }
    return SaveRequest.Link(
      source: source, relationship: link.relationship, destination: destination)
  }

  private mutating func id(_ id: ManagedObjectID) -> ManagedObjectID? {
    guard id.isTemporary else { return id }
    if permanent[id] == nil { unknown.insert(id) }
    return permanent[id]
  }
}
