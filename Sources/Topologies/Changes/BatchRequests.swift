import ObjectGraph

/// Sends a batch of changes as batch requests.
///
/// While no row is named twice, the order of changes does not matter. Then one request inserts all
/// new rows of an entity, one deletes rows by their keys, and one updates all rows that get the
/// same values. With a lookup for each object, each change is a request.
///
/// A batch insert cannot relate rows. As articles advise, related rows are fetched as objects,
/// related and saved, after the inserts and before the deletes.
///
/// Arriving rows that exist are fetched as objects, updated where they differ, and saved: batch
/// requests would need a transaction for each row. One request inserts the other rows, or all rows
/// if a uniqueness constraint finds duplicates.
struct BatchRequests: Sendable {
  private let entities: [RowEntity]
  private let lookup: Lookup
  private let relations: ChangeApplier
  private let decoder: RecordDecoder
  private let deletion: BatchDeletion

  init(_ environment: TopologyEnvironment) {
    entities = environment.rowEntities
    lookup = environment.lookup
    decoder = RecordDecoder(entities, in: environment.model)
    relations = ChangeApplier(
      entities: entities, lookup: lookup,
      comparesBeforeSetting: environment.comparesBeforeSetting, decoder: decoder)
    deletion = BatchDeletion(
      model: environment.model, runsDeleteRules: environment.runsDeleteRules)
  }

  /// Call it on the context's queue.
  ///
  /// - Throws: `ChangeError.missing` or `StoreError.deleteDenied`, with everything before the error
  ///   written; `DecodingError`.
  func send(_ batch: ChangeBatch, through context: ManagedObjectContext) throws {
    for var run in runs(of: entities.withoutRepeats(try decoder.changes(of: batch))) {
      let known = try place(&run, in: context)
      try insert(run, through: context)
      try update(run, through: context)
      try relate(run, knowing: known, through: context)
      try delete(run, through: context)
    }
  }

  /// Divides the changes wherever a row is named again.
  private func runs(of changes: [Change]) -> [GroupedChanges] {
    var runs: [GroupedChanges] = []
    for change in changes {
      if lookup == .perObject || runs.last?.names(change) != false {
        runs.append(GroupedChanges(entities))
      }
      runs[runs.count - 1].add(change)
    }
    return runs
  }

  /// Turns arriving rows into inserts and updates.
  ///
  /// - Returns: the existing objects, by entity and key.
  private func place(
    _ run: inout GroupedChanges, in context: ManagedObjectContext
  ) throws -> [[Value: ManagedObject]] {
    var known: [[Value: ManagedObject]] = entities.map { _ in [:] }
    for (index, rows) in run.arrivals {
      let keys = rows.map { $0[entities[index].keyIndex] }
      if lookup != .constraint { known[index] = try objects(keys, of: index, in: context) }
      for (key, row) in zip(keys, rows) {
        if known[index][key] == nil { run.insert(row, of: index) } else { run.set(row, of: index) }
      }
    }
    return known
  }

  private func objects(
    _ keys: [Value], of index: Int, in context: ManagedObjectContext
  ) throws -> [Value: ManagedObject] {
    let request = FetchRequest(entities[index].entity, where: condition(keys, of: index)).realised
    let found = try context.fetch(request).map { ($0[entities[index].keyIndex], $0) }
    return Dictionary(found) { first, _ in first }
  }

  private func insert(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for (index, rows) in run.inserts {
      let entity = entities[index].entity
      let attributes = entity.columns.indices.filter { entity.columns[$0].attribute != nil }
      let given = AttributeMask(attributes.map { AttributeMask(index: $0) })
      try context.execute(.insert(entity, rows: rows, giving: given))
    }
  }

  private func update(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for (assignment, keys) in run.updates {
      let entity = entities[assignment.entity].entity
      let values = assignment.fields.map { (entity.columns[$0.index].name, $0.value) }
      let request = BatchRequest.update(
        entity, where: condition(keys, of: assignment.entity), includesSubentities: false,
        set: Dictionary(values) { _, last in last })
      let result = try context.execute(request)
      if result.count < keys.count { try findMissing(keys, of: assignment.entity, in: context) }
    }
  }

  private func relate(
    _ run: GroupedChanges, knowing objects: [[Value: ManagedObject]],
    through context: ManagedObjectContext
  ) throws {
    guard !run.relations.isEmpty else { return }
    // Requests raised row versions, which the row cache does not know.
    let policy = context.mergePolicy
    context.mergePolicy = .objectTrump
    defer {
      context.mergePolicy = policy
      context.reset()
    }
    try relations.apply(run.relations, in: context, knowing: objects)
    try context.save()
  }

  private func delete(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for (index, keys) in run.deletes {
      var request = FetchRequest(entities[index].entity, where: condition(keys, of: index))
      request.includesSubentities = false
      let count = try deletion.delete(request, through: context)
      // Which keys were missing is unknown, because the other rows are deleted.
      guard count == keys.count else {
        throw ChangeError.wrongCount(
          found: count, keys: keys.count, entity: entities[index].entity.name)
      }
    }
    if let rows = run.predicateDeletion {
      _ = try deletion.delete(
        FetchRequest(rows.entity, where: rows.deletion), through: context)
    }
  }

  private func condition(_ keys: [Value], of index: Int) -> FetchPredicate {
    let column = entities[index].keyIndex
    return keys.count == 1 ? .compare(column, .equal, keys[0]) : .isIn(column, ValueSet(keys))
  }

  private func findMissing(
    _ keys: [Value], of index: Int, in context: ManagedObjectContext
  ) throws {
    let entity = entities[index].entity
    for key in keys {
      let found = try context.count(FetchRequest(entity, where: condition([key], of: index)))
      if found == 0 { throw ChangeError.missing(key, entity: entity.name) }
    }
  }
}
