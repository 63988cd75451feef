import ObjectGraph

/// A batch of changes as batch requests.
///
/// While no row is named twice, the order of the changes makes no difference, and they are taken
/// together: one request inserts all new rows of an entity, one deletes all rows of a list of keys, and
/// rows that get the same values are updated by one. (A request sets constants, so each row with
/// values of its own needs a request of its own.) Where lookups are one for each object, each change is
/// a request.
///
/// A batch insert cannot relate rows. As articles advise, that is left to objects: after the inserts
/// and before the deletes, the rows that refer to others are fetched with them, related and saved.
struct BatchRequests: Sendable {
  let entities: [RowEntity]
  let lookup: Lookup
  private let relations: ChangeApplier

  init(_ entities: [RowEntity], lookup: Lookup) {
    self.entities = entities
    self.lookup = lookup
    relations = ChangeApplier(entities: entities, lookup: lookup)
  }

  /// On the context's queue.
  ///
  /// - Throws: `ChangeError.missing` if a row is not there, with everything before it written.
  func send(_ batch: [Change], through context: ManagedObjectContext) throws {
    for run in runs(of: batch) {
      try insert(run, through: context)
      try update(run, through: context)
      try relate(run, through: context)
      try delete(run, through: context)
    }
  }

  /// The batch, cut wherever a row is named again.
  private func runs(of batch: [Change]) -> [GroupedChanges] {
    guard lookup == .perBatch else {
      return batch.map { change in
        var run = GroupedChanges(entities)
        run.add(change)
        return run
      }
    }
    var runs: [GroupedChanges] = []
    for change in batch {
      if runs.last?.names(change) != false { runs.append(GroupedChanges(entities)) }
      runs[runs.count - 1].add(change)
    }
    return runs
  }

  private func insert(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for (index, rows) in run.inserts {
      try context.execute(.insert(entities[index].entity, rows: rows))
    }
  }

  private func update(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for update in run.updates {
      let entity = entities[update.entity].entity
      let values = update.fields.map { (entity.columns[$0.index].name, $0.value) }
      let request = BatchRequest.update(
        entity, where: condition(update.keys, of: update.entity), includesSubentities: false,
        set: Dictionary(values) { _, last in last })
      let result = try context.execute(request)
      if result.count < update.keys.count {
        try findMissing(update.keys, of: update.entity, in: context)
      }
    }
  }

  private func relate(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    guard !run.relations.isEmpty else { return }
    // A request has given rows new versions that the row cache has not heard of.
    context.mergePolicy = .objectTrump
    defer {
      context.mergePolicy = .error
      context.reset()
    }
    try relations.apply(run.relations, in: context)
    try context.save()
  }

  private func delete(_ run: GroupedChanges, through context: ManagedObjectContext) throws {
    for (index, keys) in run.deletes {
      var request = FetchRequest(entities[index].entity, where: condition(keys, of: index))
      request.includesSubentities = false
      let result = try context.execute(.delete(request))
      // Those that were not there cannot be told any more from those that have just gone.
      guard result.count == keys.count else {
        throw ChangeError.missing(keys[0], entity: entities[index].entity.name)
      }
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
