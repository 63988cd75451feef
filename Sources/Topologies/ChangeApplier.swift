public import ObjectGraph

/// Turns changes into inserts, lookups, updates and deletes in a context. Written once, for every
/// topology of contexts.
public struct ChangeApplier: Sendable {
  let entity: Entity
  let keyIndex: Int
  let lookup: Lookup

  /// Applies the changes in their order, without saving. On the context's queue.
  ///
  /// - Throws: `ChangeError.missing` if there is no row to update or delete; what a fetch throws.
  public func apply(_ batch: [Change], in context: ManagedObjectContext) throws {
    let find = try finder(for: batch, in: context)
    for change in batch {
      switch change {
      case .insert(let values):
        _ = context.insert(entity, values: values)
      case .update(let key, let fields):
        let object = try find(key)
        for field in fields { object[field.index] = field.value }
      case .delete(let key):
        context.delete(try find(key))
      }
    }
  }

  /// How an object is found by its key: by a fetch of its own, or among those of one `IN` fetch.
  /// Either way realised at once, since it is about to be changed.
  private func finder(
    for batch: [Change], in context: ManagedObjectContext
  ) throws -> (Value) throws -> ManagedObject {
    switch lookup {
    case .perObject:
      return { key in
        var request = FetchRequest(
          entity, where: .compare(keyIndex, .equal, key), limit: 1)
        request.returnsObjectsAsFaults = false
        guard let object = try context.fetch(request).first else { throw ChangeError.missing(key) }
        return object
      }
    case .perBatch:
      let objects = try objectsByKey(batch.compactMap(\.key), in: context)
      return { key in
        guard let object = objects[key] else { throw ChangeError.missing(key) }
        return object
      }
    }
  }

  private func objectsByKey(
    _ keys: [Value], in context: ManagedObjectContext
  ) throws -> [Value: ManagedObject] {
    guard !keys.isEmpty else { return [:] }
    var request = FetchRequest(entity, where: .isIn(keyIndex, ValueSet(keys)))
    request.returnsObjectsAsFaults = false
    let objects = try context.fetch(request)
    var byKey: [Value: ManagedObject] = [:]
    byKey.reserveCapacity(objects.count)
    for object in objects { byKey[object[keyIndex]] = object }
    return byKey
  }
}

extension Change {
  /// The key of the row that has to be found first; nil for an insert.
  var key: Value? {
    switch self {
    case .insert: nil
    case .update(let key, _), .delete(let key): key
    }
  }
}

/// The stream asks for a row that is not there: data set and store do not fit together.
public enum ChangeError: Error, CustomStringConvertible {
  case missing(Value)

  public var description: String {
    switch self {
    case .missing(let key):
      "no row with the key \(key) to update or delete; the store does not hold the data set's rows"
    }
  }
}
