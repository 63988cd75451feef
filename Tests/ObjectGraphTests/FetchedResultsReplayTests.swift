import Support
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// A mirror receives only the list's changes, also those of another context. Many objects compare
/// equal, so IDs decide much of the order.
@Suite("Replaying a list's changes")
struct FetchedResultsReplayTests {
  enum Kind: CaseIterable {
    case plain, attribute, computed

    var sections: SectionKey? {
      switch self {
      case .plain: nil
      case .attribute: .attribute(City.nickname)
      case .computed: .computed { .string(String($0[City.name].prefix(1))) }
      }
    }

    var terms: [SortTerm] {
      switch self {
      case .plain: [City.population.descending]
      case .attribute: [City.nickname.ascending, City.population.descending]
      case .computed: [City.name.ascending]
      }
    }
  }

  // Semantics 113, 110, 112, 114, 115
  @Test(arguments: Kind.allCases, RandomRuns.seeds(40))
  func `after random changes the replayed list equals the list and its fetch`(
    kind: Kind, seed: UInt64
  ) throws {
    let story = try ListStory(kind, seed: seed)
    for step in 0..<40 {
      try story.step()
      try story.check("\(kind), seed \(seed), step \(step): \(story.told)")
    }
    #expect(story.mirror.frames.count > 10)
  }
}

private final class ListStory {
  let store: TestStore
  let context: ManagedObjectContext
  let list: FetchedResultsController
  let mirror: ListMirror
  private(set) var told = ""
  private var random: SplitMix64
  private var key: Int64 = 100
  /// Retained and realised, because a merge skips faults.
  private var held: [ManagedObject] = []

  init(_ kind: FetchedResultsReplayTests.Kind, seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    store = try TestStore()
    try store.fill((1...6).map { City.values($0, "a\($0 % 3)", population: $0 % 4) })
    context = store.context()
    context.mergePolicy = .objectTrump
    list = FetchedResultsController(
      FetchRequest(City.entity, where: City.population < 6, sortedBy: kind.terms),
      in: context, sections: kind.sections)
    mirror = try context.performAndWait { [list] in
      return try ListMirror(fetching: list)
    }
  }

  func step() throws {
    try context.performAndWait {
      try holdAll()
      let steps: [(String, () throws -> Void)] = [
        ("edits", { for _ in 0..<3 { try self.edit(self.context) } }),
        ("edits", { for _ in 0..<6 { try self.edit(self.context) } }),
        ("save", { try self.context.save() }),
        ("permanent IDs", obtainIDs), ("refresh", refresh), ("merge", merge), ("merge", merge),
        ("refresh all", { try self.context.refreshAllObjects() }),
        ("rollback", { self.context.rollback() }),
        (
          "edits, rollback",
          {
            try self.edit(self.context)
            self.context.rollback()
          }
        ),
        (
          "edits, save",
          {
            for _ in 0..<3 { try self.edit(self.context) }
            try self.context.save()
          }
        ),
      ]
      let (name, body) = random.pick(steps)
      told += ", \(name)"
      try body()
      context.processPendingChanges()
    }
  }

  func check(_ story: String) throws {
    try context.performAndWait {
      let (names, objects) = ListMirror.state(of: list)
      let fetched = try context.fetch(list.request)
      try #require(mirror.names == names, "\(story)")
      try #require(mirror.objects == objects, "\(story)")
      let (listed, expected) = (keys(list.fetchedObjects), keys(fetched))
      try #require(listed == expected, "\(story)")
    }
  }

  private func keys(_ objects: [ManagedObject]) -> [Int64] { objects.map { $0[City.key] } }

  private func holdAll() throws {
    var request = FetchRequest(City.entity, sortedBy: [City.key.ascending])
    request.returnsObjectsAsFaults = false
    held = try context.fetch(request)
  }

  private func edit(_ context: ManagedObjectContext) throws {
    let all = try context.fetch(FetchRequest(City.entity, sortedBy: [City.key.ascending]))
    let object = all.randomElement(using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1: insert(into: context)
    case 2 where all.count > 3: if let object { context.delete(object) }
    case 3: object?[City.population] = .random(in: 0..<9, using: &random)
    case 4: object?[City.nickname] = random.pick([nil, "x", "y", "z"])
    default: object?[City.name] = name()
    }
  }

  private func insert(into context: ManagedObjectContext) {
    key += 1
    let values = City.values(key, name(), population: .random(in: 0..<9, using: &random))
    context.insert(City.entity, values: values)[City.nickname] = random.pick([nil, "x", "y"])
  }

  private func name() -> String {
    random.pick(["a", "b", "c"]) + "\(Int.random(in: 0..<3, using: &random))"
  }

  /// In an order other than that of creation.
  private func obtainIDs() throws {
    try context.obtainPermanentIDs(for: context.insertedObjects.shuffled(using: &random))
    insert(into: context)
  }

  private func refresh() throws {
    guard let object = held.randomElement(using: &random) else { return }
    try context.refresh(object, mergeChanges: random.chance(2))
  }

  private func merge() throws {
    // A merge does not refresh objects deleted here, and a rollback would restore their old rows.
    if !context.deletedObjects.isEmpty { try context.save() }
    let other = store.context("other")
    let save = try other.saving { for _ in 0..<3 { try edit(other) } }
    try context.mergeChanges(fromContextDidSave: save)
  }
}
