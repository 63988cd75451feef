import ObjectGraph
import Queues
import SQLiteStore

/// A store is opened, used by several contexts, and closed.
struct CallStory: Sendable {
  let name: String
  var beginning = Beginning.new
  let steps: [CallStep]

  static let all = [creation, recovery, saves, requests, conflicts]
}

private typealias M = FaultModel

private func rename(_ label: String, _ name: String) -> CallStep.Edit {
  { world, context in try world.object(label, in: context)[M.name] = name }
}

extension CallStory {
  private static let creation = CallStory(
    name: "creation", beginning: .nothing,
    steps: [
      .open,
      .save(.worker, "insert") { _, worker in
        let item = worker.insert(M.item)
        item[M.key] = 1
        item[M.name] = "first"
      },
      .compare, .close,
    ])

  private static let recovery = CallStory(
    name: "recovery", beginning: .unclosed,
    steps: [
      .open, .fetch(.main), .save(.main, "rename", rename("item 11", "recovered")),
      .compare, .close,
    ])

  /// Migrates, then saves and merges.
  private static let saves = CallStory(
    name: "saves", beginning: .old,
    steps: [
      .open, .fetch(.main), .fetch(.worker),
      .save(.worker, "insert") { world, worker in
        let (item, tag) = (worker.insert(M.item), worker.insert(M.tag))
        item[M.key] = 31
        item[M.name] = "new"
        item[M.groupOfItem] = try world.object("group 2", in: worker)
        tag[M.tagTitle] = "red"
        item.add(tag, to: M.tags)
        world.hold([item, tag], in: worker)
      },
      .on(.main, "merge the save") { world, main in
        for note in world.notes { try main.mergeChanges(fromContextDidSave: note) }
      },
      .fetch(.child, [M.item]),
      .save(.child, "rename", rename("item 11", "by the child")),
      .save(.main, "rename and move") { world, main in
        let item = try world.object("item 12", in: main)
        item[M.name] = "by main"
        item[M.groupOfItem] = try world.object("group 2", in: main)
      },
      .mergeHistory(.worker),
      .save(.worker, "delete") { world, worker in
        worker.delete(try world.object("item 23", in: worker))
        worker.delete(try world.object("group 1", in: worker))
      },
      .on(.main, "merge the deletion") { world, main in
        for note in world.notes { try main.mergeChanges(fromContextDidSave: note) }
      },
      .compare, .close,
    ])

  /// Every other kind of request.
  private static let requests = CallStory(
    name: "requests",
    steps: [
      .open,
      CallStep(name: "note the token", operations: [.history]) { world in
        world.token = try world.now().coordinator.currentHistoryToken()
      },
      .fetchAsynchronously(.main, count: 6), .fetch(.main),
      .on(.pinned, "pin") { _, pinned in
        pinned.setQueryGeneration(from: .current)
        try Mismatch.expect("pinned items", try pinned.count(FetchRequest(M.item)), 6)
      },
      .batch("update rows", count: 3) {
        .update(M.item, where: M.key < 20, set: ["rank": .int64(8)])
      },
      .batch("delete rows", count: 1) { .delete(FetchRequest(M.item, where: M.key == 13)) },
      .batch("insert rows", count: 1) {
        .insert(M.item, objects: [["key": .int64(41), "name": .string("batch")]])
      },
      .on(.main, "merge the history", [.history, .reading]) { world, main in
        let transactions = try world.now().coordinator.history(after: world.token)
        try Mismatch.expect("transactions", transactions.count, 3)
        try main.mergeChanges(fromHistory: transactions)
      },
      .on(.main, "list") { _, main in
        let list = FetchedResultsController(
          FetchRequest(M.item, sortedBy: [M.key.ascending]), in: main)
        try list.performFetch()
        try Mismatch.expect("listed", list.count, 6)
      },
      .on(.main, "read faults") { world, main in
        main.stalenessInterval = .zero
        let items = try ["item 11", "item 12"].map { try world.object($0, in: main) }
        try main.refresh(items[0], mergeChanges: false)
        let found = try main.existingObject(with: items[0].objectID)
        try Mismatch.expect("the rank of a fault", found[M.rank], 8)
        try main.refresh(items[1], mergeChanges: true)
      },
      CallStep(name: "open all readers", operations: [.opening]) { world in
        try world.now().coordinator.openReaders()
      },
      .on(.pinned, "read the pinned generation", request: readPinned),
      .on(.pinned, "unpin") { _, pinned in
        pinned.setQueryGeneration(from: nil)
        pinned.stalenessInterval = .zero
        try pinned.refreshAllObjects()
        try Mismatch.expect("keys", try keys(pinned), [11, 12, 21, 22, 23, 41])
      },
      .on(.worker, "prefetch") { world, worker in
        var request = FetchRequest(M.group, where: M.title == "group 2")
        request.relationshipKeyPathsForPrefetching = [M.items.path]
        world.hold(try worker.fetch(request), in: worker)
      },
      CallStep(name: "forget history", operations: [.history]) { world in
        let coordinator = try world.now().coordinator
        try coordinator.deleteHistory(before: try coordinator.currentHistoryToken())
      },
      .compare, .close,
    ])

  @Sendable private static func readPinned(
    _ world: CallWorld, _ pinned: ManagedObjectContext
  ) throws {
    var request = FetchRequest(M.item, where: M.key < 20)
    request.returnsObjectsAsFaults = false
    do {
      let ranks = try pinned.fetch(request).map { $0[M.rank] }
      try Mismatch.expect("pinned ranks", ranks, [7, 7, 7])
    } catch StoreError.generationLost where world.hasMetError {
      pinned.setQueryGeneration(from: .current)
      try Mismatch.expect("newest ranks", try pinned.fetch(request).map { $0[M.rank] }, [8, 8])
    }
  }

  private static func keys(_ context: ManagedObjectContext) throws -> [Int64] {
    try context.fetch(FetchRequest(M.item, sortedBy: [M.key.ascending])).map { $0[M.key] }
  }

  /// Reserved keys, conflicts that merge policies settle, and unique values.
  private static let conflicts = CallStory(
    name: "conflicts",
    steps: [
      .open, .fetch(.main), .fetch(.worker),
      .on(
        .worker, "reserve a key", [.saving],
        edit: { _, worker in
          let item = worker.insert(M.item)
          item[M.key] = 51
          item[M.name] = "reserved"
        }
      ) { _, worker in
        try worker.obtainPermanentIDs(for: worker.insertedObjects.map(\.self))
      },
      .save(.main, "rename", rename("item 11", "by main")),
      .save(.worker, "settle a conflict", rename("item 11", "by the worker")),
      raiseRank,
      .on(.worker, "settle under the lock", [.saving, .reading, .batch], edit: writeBeside) {
        try $1.save()
      },
      .on(.worker, "keep a key unique", [.saving, .reading]) { world, worker in
        worker.conflictHandler = nil
        worker.mergePolicy = .error
        try world.object("item 22", in: worker)[M.key] = 21
        do { try worker.save() } catch SaveError.constraint {
          try world.object("item 22", in: worker)[M.key] = 22
        }
      },
      // Both rows are written twice, because each wants the other's key.
      .save(.worker, "exchange keys") { world, worker in
        let items = try ["item 22", "item 23"].map { try world.object($0, in: worker) }
        (items[0][M.key], items[1][M.key]) = (23, 22)
      },
      .mergeHistory(.main), .mergeHistory(.worker), .compare, .close,
    ])

  private static let raiseRank = CallStep.on(.rival, "raise a rank", [.batch]) { _, rival in
    _ = try rival.execute(.update(M.item, where: M.key == 21, set: ["rank": .int64(9)]))
  }

  /// Another context writes the row after each of the first three attempts to settle its conflicts.
  /// The fourth attempt has the store for itself.
  @Sendable private static func writeBeside(
    _ world: CallWorld, _ worker: ManagedObjectContext
  ) throws {
    let rounds = Lock(0)
    worker.conflictHandler = { [unowned world] _, _, applyPolicy in
      try applyPolicy()
      if rounds.withLock({ $0 }) < 3 {
        try raiseRank.request(world)
        rounds.withLock { $0 += 1 }
      }
    }
    try world.object("item 21", in: worker)[M.name] = "settled"
  }
}
