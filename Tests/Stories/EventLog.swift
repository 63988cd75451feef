import ObjectGraph

// `@unchecked Sendable`: one thread at a time tells a story, on its contexts' queues.
final class EventLog: @unchecked Sendable {
  /// Objects get their numbers when the events are taken.
  private typealias Names = ([ManagedObjectID]) -> Set<Int>

  private var entries: [(Names) -> Event] = []
  private(set) var lastSave: DidSave?
  private var announced: [ManagedObject] = []

  func follow(_ context: ManagedObjectContext, _ index: Int) {
    context.performAndWait {
      context.observeObjectsDidChange { [unowned self] change in
        if change.invalidatedAll { return entries.append { _ in .invalidatedAll(index) } }
        let sets = [change.inserted, change.updated, change.deleted, change.refreshed]
        announced += sets.joined()
        let ids = sets.map { $0.map(\.objectID) }
        entries.append { names in
          .changed(
            index, inserted: names(ids[0]), updated: names(ids[1]), deleted: names(ids[2]),
            refreshed: names(ids[3]))
        }
      }
      context.observeDidSave { [unowned self] save in
        lastSave = save
        let (inserted, updated, deleted) = (save.inserted, save.updated, save.deleted)
        entries.append { names in
          .saved(index, inserted: names(inserted), updated: names(updated), deleted: names(deleted))
        }
      }
      context.observeDidMerge { [unowned self] merge in
        entries.append { names in
          .merged(
            index, inserted: names(merge.inserted), refreshed: names(merge.refreshed),
            deleted: names(merge.deleted))
        }
      }
    }
  }

  func take(_ name: (ManagedObjectID) -> Int) -> [Event] {
    defer {
      entries = []
      announced = []
      lastSave = nil
    }
    return entries.map { event in event { ids in Set(ids.map(name)) } }
  }
}
