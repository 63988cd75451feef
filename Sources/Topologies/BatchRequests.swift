import ObjectGraph

/// A batch of changes as batch requests.
///
/// Where no row is named twice, the order of the changes makes no difference, and they are taken
/// together: one request inserts all new rows, one deletes all rows of a list of keys, and rows that
/// get the same values are updated by one. (A request sets constants, so each row with values of its
/// own needs a request of its own.) Where a row is named twice, or lookups are one for each object,
/// each change is a request, in their order.
struct BatchRequests: Sendable {
  let entity: Entity
  let keyIndex: Int
  let lookup: Lookup

  /// On the context's queue.
  ///
  /// - Throws: `ChangeError.missing` if a row is not there, with everything before it written.
  func send(_ batch: [Change], through context: ManagedObjectContext) throws {
    guard lookup == .perBatch, namesNoRowTwice(batch) else {
      for change in batch { try send(Grouped([change]), through: context) }
      return
    }
    try send(Grouped(batch), through: context)
  }

  private func namesNoRowTwice(_ batch: [Change]) -> Bool {
    var seen: Set<Value> = []
    return batch.allSatisfy { seen.insert($0.rowKey(at: keyIndex)).inserted }
  }

  private func send(_ changes: Grouped, through context: ManagedObjectContext) throws {
    if !changes.inserts.isEmpty {
      try context.execute(.insert(entity, rows: changes.inserts))
    }
    for update in changes.updates {
      let values = update.fields.map { (entity.columns[$0.index].name, $0.value) }
      let request = BatchRequest.update(
        entity, where: condition(update.keys), includesSubentities: false,
        set: Dictionary(values) { _, last in last })
      try check(try context.execute(request), found: update.keys, in: context)
    }
    if !changes.deletes.isEmpty {
      let request = BatchRequest.delete(FetchRequest(entity, where: condition(changes.deletes)))
      let result = try context.execute(request)
      // Those that are left cannot be told from those that have just gone.
      guard result.count == changes.deletes.count else {
        throw ChangeError.missing(changes.deletes[0])
      }
    }
  }

  private func condition(_ keys: [Value]) -> FetchPredicate {
    keys.count == 1 ? .compare(keyIndex, .equal, keys[0]) : .isIn(keyIndex, ValueSet(keys))
  }

  private func check(
    _ result: BatchResult, found keys: [Value], in context: ManagedObjectContext
  ) throws {
    guard result.count < keys.count else { return }
    for key in keys where try context.count(FetchRequest(entity, where: condition([key]))) == 0 {
      throw ChangeError.missing(key)
    }
  }
}

/// Changes of different rows, by what they do.
private struct Grouped {
  struct Update {
    let fields: [FieldChange]
    var keys: [Value]
  }

  var inserts: [ContiguousArray<Value>] = []
  var updates: [Update] = []
  var deletes: [Value] = []

  init(_ changes: [Change]) {
    var places: [[FieldChange]: Int] = [:]
    for change in changes {
      switch change {
      case .insert(let values): inserts.append(values)
      case .delete(let key): deletes.append(key)
      case .update(let key, let fields):
        if let place = places[fields] {
          updates[place].keys.append(key)
        } else {
          places[fields] = updates.count
          updates.append(Update(fields: fields, keys: [key]))
        }
      }
    }
  }
}

extension Change {
  fileprivate func rowKey(at keyIndex: Int) -> Value {
    switch self {
    case .insert(let values): values[keyIndex]
    case .update(let key, _), .delete(let key): key
    }
  }
}
