import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// Every registration in the row cache is given back once: an entry lives as long as some context
/// registers its object, whatever happened to object and contexts.
@Suite("What the row cache counts")
struct RegistrationTests {
  // 128
  @Test func `whatever contexts do, the cache holds what they register, and nothing after them`()
    throws
  {
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

  /// Neighbours in memory go one after another; in the order of a dictionary they would leave holes all
  /// over, and the next rows would lie scattered.
  @Test(arguments: [true, false])
  func `a context lets go of its rows in the order in which it fetched them`(resets: Bool) throws {
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
}

/// A root, a child of it and a sibling that hears of root's saves, all doing things at random.
private struct RandomRun {
  let store: TestStore
  private var contexts: [ManagedObjectContext]
  private var held: [ManagedObject] = []
  private var random: SplitMix
  private var nextKey: Int64 = 100
  private let notes = Lock<[DidSave]>([])
  /// Rows that root deleted: they leave the cache whoever registers them.
  private var deleted: Set<ManagedObjectID> = []

  init(seed: UInt64) throws {
    random = SplitMix(state: seed)
    store = try TestStore()
    try store.fill((1...12).map { City.values($0, "n\($0)") })
    let root = store.context("root")
    contexts = [root, root.child(), store.context("sibling")]
    root.observeDidSave { [notes] note in notes.withLock { $0.append(note) } }
  }

  mutating func step() throws {
    let context = contexts.randomElement(using: &random)!
    // Only one of the siblings writes, so that nothing conflicts.
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

  /// How many rows some context registers, once the dead are swept away.
  func registeredRows() throws -> Int {
    var registered: Set<ManagedObjectID> = []
    for context in contexts.reversed() {
      try context.performAndWait {
        // Sweeps, and finds nothing.
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

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
