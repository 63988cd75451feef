import ObjectGraph

final class EventLog {
  private enum Entry {
    case changed(Int, [[ManagedObjectID]])
    case invalidatedAll(Int)
    case saved(Int, [[ManagedObjectID]])
    case merged(Int, [[ManagedObjectID]])
  }

  private var entries: [Entry] = []
  private(set) var lastSave: DidSave?
  private var announced: [ManagedObject] = []

  func follow(_ context: ManagedObjectContext, _ index: Int) {
    context.performAndWait {
      context.observeObjectsDidChange { [unowned self] change in
        if change.invalidatedAll { return entries.append(.invalidatedAll(index)) }
        let sets = [change.inserted, change.updated, change.deleted, change.refreshed]
        announced += sets.joined()
        entries.append(.changed(index, sets.map { $0.map(\.objectID) }))
      }
      context.observeDidSave { [unowned self] save in
        lastSave = save
        entries.append(.saved(index, [save.inserted, save.updated, save.deleted]))
      }
      context.observeDidMerge { [unowned self] merge in
        entries.append(.merged(index, [merge.inserted, merge.refreshed, merge.deleted]))
      }
    }
  }

  func take(_ name: (ManagedObjectID) -> Int) -> [Event] {
    defer {
      entries = []
      announced = []
      lastSave = nil
    }
    return entries.map { entry in
      func sets(_ ids: [[ManagedObjectID]]) -> [Set<Int>] { ids.map { Set($0.map(name)) } }
      switch entry {
      case .invalidatedAll(let index): return .invalidatedAll(index)
      case .changed(let index, let ids):
        let sets = sets(ids)
        return .changed(
          index, inserted: sets[0], updated: sets[1], deleted: sets[2], refreshed: sets[3])
      case .saved(let index, let ids):
        let sets = sets(ids)
        return .saved(index, inserted: sets[0], updated: sets[1], deleted: sets[2])
      case .merged(let index, let ids):
        let sets = sets(ids)
        return .merged(index, inserted: sets[0], refreshed: sets[1], deleted: sets[2])
      }
    }
  }
}
