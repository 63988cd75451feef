import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// ThreadSanitizer and AddressSanitizer check these accesses.
@Suite("Objects deallocated on other threads")
struct ObjectDeathTests {
  // Semantics 14, 128
  @Test func `a lookup finds a live object or none; deallocated ones leave no entries`() throws {
    //  context      fetch ─┬─ look up, all ─ fetch ─┬─ look up, all ─ …
    //  releaser 1          └─ release one by one    │
    //  releaser 2                                   └─ release one by one
    let store = try TestStore()
    try store.fill((1...200).map { City.values($0, "n\($0)") })
    let context = store.context()
    let undertakers = [PrivateQueue(label: "undertaker 1"), PrivateQueue(label: "undertaker 2")]
    try context.performAndWait {
      let ids = try context.fetch(FetchRequest(City.entity)).map(\.objectID)
      for round in 0..<100 {
        let last = Last(try context.fetch(FetchRequest(City.entity)))
        undertakers[round % 2].async { last.letGo() }
        for id in ids.reversed() {
          guard let found = context.registeredObject(for: id) else { continue }
          let isWhole = found.objectID == id && found[City.name] == "n\(found[City.key])"
          #expect(isWhole, "round \(round)")
        }
      }
    }
    for undertaker in undertakers { undertaker.sync {} }
    try context.performAndWait {
      _ = try context.fetch(FetchRequest(City.entity, where: .false))
      #expect(context.registeredObjects.isEmpty)
    }
    #expect(store.coordinator.cachedObjectCount == 0)
  }
}

// @unchecked: filled before it is passed on, then confined to the queue that empties it.
private final class Last: @unchecked Sendable {
  private var objects: [ManagedObject]

  init(_ objects: [ManagedObject]) { self.objects = objects }

  func letGo() {
    while objects.popLast() != nil {}
  }
}
