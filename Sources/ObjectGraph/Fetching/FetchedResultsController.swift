import Queues

/// Keeps the result of a fetch up to date with its context, and says what changed in it.
///
/// Listens to its context's objects-did-change: to everything that is inserted, edited, deleted or
/// merged there, persisted or not. Used on the context's queue.
///
/// It holds the objects of its list, so they stay registered; and for each the row that it was
/// sorted by. A list is therefore always in the order of what it knows, even while the row cache
/// is already a save ahead, and finding a place compares rows in hand instead of firing faults.
/// (Core Data does not document what its controller compares.)
public final class FetchedResultsController {
  public let context: ManagedObjectContext
  public let request: FetchRequest
  /// Called after each change of the list, in the context's event that caused it. Not called by
  /// `performFetch`.
  public var onChange: ((ListChanges) -> Void)?

  private var entries: [ListEntry] = []
  private var members: Set<ObjectIdentifier> = []
  private var observation: Observation?

  public init(_ request: FetchRequest, in context: ManagedObjectContext) {
    self.request = request
    self.context = context
  }

  deinit {
    if let observation { context.stopObserving(observation) }
  }

  public var count: Int { entries.count }

  public subscript(index: Int) -> ManagedObject { entries[index].object }

  public var fetchedObjects: [ManagedObject] { entries.map(\.object) }

  /// Fetches the list anew and starts listening.
  public func performFetch() throws {
    let objects = try context.fetch(request)
    let rows = try context.rows(of: objects)
    entries = zip(objects, rows).compactMap { object, row in
      row.map { ListEntry(object: object, row: $0) }
    }
    if !isInOrder { entries.sort { $0.precedes($1, by: request.sortDescriptors) } }
    members = Set(entries.map { ObjectIdentifier($0.object) })
    if observation == nil {
      observation = context.observeObjectsDidChange { [unowned self] in contextDidChange($0) }
    }
  }

  /// False if a save came between the fetch and reading the rows it left in the cache.
  private var isInOrder: Bool {
    zip(entries, entries.dropFirst()).allSatisfy {
      !$1.precedes($0, by: request.sortDescriptors)
    }
  }
}

// MARK: - Following the context

extension FetchedResultsController {
  private func contextDidChange(_ change: ObjectsDidChange) {
    Activity.slice(.list) {
      let effect = effect(of: change)
      guard !effect.isEmpty else { return }
      let difference = ListDifference(
        entries, removing: effect.leaving, placing: effect.staying + effect.entering,
        by: request.sortDescriptors)
      entries = difference.entries
      for entry in effect.leaving { members.remove(ObjectIdentifier(entry)) }
      for entry in effect.entering { members.insert(ObjectIdentifier(entry.object)) }
      Activity.count(.listChanges, difference.changes.count)
      onChange?(difference.changes)
    }
  }

  /// What an event means for this list: who leaves, who stays but changed, who enters.
  private struct Effect {
    var leaving: [ManagedObject] = []
    var staying: [ListEntry] = []
    var entering: [ListEntry] = []

    var isEmpty: Bool { leaving.isEmpty && staying.isEmpty && entering.isEmpty }
  }

  private func effect(of change: ObjectsDidChange) -> Effect {
    var effect = Effect()
    for object in change.deleted where isMember(object) { effect.leaving.append(object) }
    for object in change.inserted { consider(object, in: &effect) }
    for object in change.updated { consider(object, in: &effect) }
    // An object that was edited and refreshed is in both.
    for object in change.updated { object.state.insert(.marked) }
    for object in change.refreshed where !object.state.contains(.marked) {
      consider(object, in: &effect)
    }
    for object in change.updated { object.state.remove(.marked) }
    return effect
  }

  private func consider(_ object: ManagedObject, in effect: inout Effect) {
    guard request.covers(object.entity) else { return }
    if object.isFault { object.realise() }
    let matches = !object.isDeleted && request.predicate?.matches(object) != false
    switch (isMember(object), matches) {
    case (true, true): effect.staying.append(ListEntry(object: object, row: object.values))
    case (false, true): effect.entering.append(ListEntry(object: object, row: object.values))
    case (true, false): effect.leaving.append(object)
    case (false, false): break
    }
  }

  private func isMember(_ object: ManagedObject) -> Bool {
    members.contains(ObjectIdentifier(object))
  }
}

extension ManagedObjectContext {
  /// The current rows of these objects, without realising any.
  fileprivate func rows(of objects: [ManagedObject]) throws -> [ContiguousArray<Value>?] {
    let faults = objects.filter(\.isFault)
    var fromBelow = try snapshotsFromParent(of: faults.map(\.objectID))[...]
    return objects.map { object in
      object.isFault ? (fromBelow.popFirst() ?? nil)?.values : object.values
    }
  }
}
