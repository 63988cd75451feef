import Support
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// Every registration in the row cache is returned once. An entry lives while a context registers
/// its object.
@Suite("Registrations in the row cache")
struct RegistrationTests {
  // Semantics 128
  @Test func `the cache holds what contexts register, and nothing afterwards`() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var run = try RandomRun(seed: seed)
      for step in 0..<60 {
        try run.step()
        let expected = try run.registeredRows()
        #expect(run.store.coordinator.cachedObjectCount == expected, "seed \(seed), step \(step)")
      }
      run.end()
      #expect(run.store.coordinator.cachedObjectCount == 0, "seed \(seed)")
    }
  }

  /// Freeing neighbours in memory in order leaves no gaps, which would scatter the next rows.
  @Test(arguments: [true, false])
  func `a context releases its rows in the order of their fetch`(resets: Bool) throws {
    let store = try TestStore()
    try store.fill((1...200).map { City.values($0, "n\($0)") })
    let given = Lock<[ManagedObjectID]>([])
    let coordinator = WatchedCoordinator(
      store.coordinator, willUnregister: { ids in given.withLock { $0 += ids } })
    let fetched: [ManagedObjectID]
    do {
      let context = ManagedObjectContext(
        name: "context", queue: PrivateQueue(label: "context"), parent: .coordinator(coordinator))
      fetched = try context.performAndWait {
        let objects = try context.fetch(FetchRequest(City.entity))
        if resets { context.reset() }
        return objects.map(\.objectID)
      }
    }
    #expect(fetched.count == 200)
    #expect(given.withLock { $0 } == fetched)
  }

  /// Otherwise the parent's next use pays for a list that was loaded before.
  @Test func `a child's fetch returns the parent's registrations before it ends`() throws {
    let store = try TestStore()
    try store.fill((1...200).map { City.values($0, "n\($0)") })
    let given = Lock<[ManagedObjectID]>([])
    let coordinator = WatchedCoordinator(
      store.coordinator, willUnregister: { ids in given.withLock { $0 += ids } })
    let parent = ManagedObjectContext(
      name: "parent", queue: PrivateQueue(label: "parent"), parent: .coordinator(coordinator))
    let child = parent.child()
    try child.performAndWait {
      let objects = try child.fetch(FetchRequest(City.entity))
      #expect(given.withLock { $0 }.count == 200)
      #expect(objects.count == 200)
    }
  }
}

/// The sibling merges the root's saves.
private struct RandomRun {
  let store: TestStore
  private var contexts: [ManagedObjectContext]
  private var held: [ManagedObject] = []
  private var random: SplitMix64
  private var nextKey: Int64 = 100
  private let notes = Lock<[DidSave]>([])
  /// Rows deleted by the root leave the cache regardless of registrations.
  private var deleted: Set<ManagedObjectID> = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    store = try TestStore()
    try store.fill((1...12).map { City.values($0, "n\($0)") })
    let root = store.context("root")
    contexts = [root, root.child(), store.context("sibling")]
    root.observeDidSave { [notes] note in notes.withLock { $0.append(note) } }
  }

  mutating func step() throws {
    let context = contexts.randomElement(using: &random)!
    // Only one sibling writes, so there are no conflicts.
    let writes = context !== contexts[2]
    var choice = Int.random(in: 0..<9, using: &random)
    if !writes, choice < 5 { choice = 8 }
    try context.performAndWait {
      switch choice {
      case 0: hold(insert(in: context))
      case 1: try pick(in: context).map { context.delete($0) }
      case 2: try pick(in: context)?[City.population] = .random(in: 0..<9, using: &random)
      case 3: try context.save()
      case 4: try context.obtainPermanentIDs(for: context.insertedObjects)
      case 5: held.removeAll { _ in Bool.random(using: &random) }
      case 6: if !context.hasChanges || writes { context.reset() }
      default: try pick(in: context).map { hold($0) }
      }
    }
    let merged = notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
    for note in merged { deleted.formUnion(note.deleted) }
    try contexts[2].performAndWait {
      for note in merged { try contexts[2].mergeChanges(fromContextDidSave: note) }
    }
  }

  private mutating func insert(in context: ManagedObjectContext) -> ManagedObject {
    nextKey += 1
    return context.insert(City.entity, values: City.values(nextKey, "n\(nextKey)"))
  }

  private mutating func hold(_ object: ManagedObject) { held.append(object) }

  private mutating func pick(in context: ManagedObjectContext) throws -> ManagedObject? {
    try context.fetch(FetchRequest(City.entity)).randomElement(using: &random)
  }

  /// Counted after a sweep.
  func registeredRows() throws -> Int {
    var registered: Set<ManagedObjectID> = []
    for context in contexts.reversed() {
      try context.performAndWait {
        // Sweeps.
        _ = try context.fetch(FetchRequest(City.entity, where: .false))
        registered.formUnion(context.registeredObjects.map(\.objectID))
      }
    }
    return registered.subtracting(deleted).filter { !$0.isTemporary }.count
  }

  mutating func end() {
    notes.withLock { $0 = [] }
    held = []
    contexts = []
  }
}
