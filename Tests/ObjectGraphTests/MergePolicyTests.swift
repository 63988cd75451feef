import ObjectGraph
import TestSupport
import Testing

@Suite("Merge policies")
struct MergePolicyTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra", "Basel")
    mine = store.context("mine")
    theirs = store.context("theirs")
  }

  /// This context changed name and population, the other one population and nickname.
  struct Outcome: Equatable {
    let name: String
    let population: Int64
    let nickname: String?
  }

  private func outcome(of policy: MergePolicy) throws -> Outcome {
    try mine.performAndWait {
      let city = try mine.city(1)
      try theirs.saving {
        let same = try theirs.city(1)
        same[City.population] = 2
        same[City.nickname] = "theirs"
      }
      mine.mergePolicy = policy
      city[City.name] = "Agadir"
      city[City.population] = 1
      try mine.save()
      #expect(!city.hasChanges)
    }
    let shown = try mine.performAndWait { try read(mine) }
    #expect(try store.reading(read) == shown)
    return shown
  }

  private func read(_ context: ManagedObjectContext) throws -> Outcome {
    let city = try context.city(1)
    return Outcome(
      name: city[City.name], population: city[City.population], nickname: city[City.nickname])
  }

  // Semantics 70, 71, 72, 73
  @Test(arguments: [
    // The store's value wins for common changes, and other edits stay.
    (MergePolicy.storeTrump, Outcome(name: "Agadir", population: 2, nickname: "theirs")),
    // The object's value wins for common changes, and other stored changes stay.
    (.objectTrump, Outcome(name: "Agadir", population: 1, nickname: "theirs")),
    // The whole row is written, over all stored changes.
    (.overwrite, Outcome(name: "Agadir", population: 1, nickname: nil)),
    // Local edits are dropped, and the object takes the store's row.
    (.rollback, Outcome(name: "Agra", population: 2, nickname: "theirs")),
  ])
  func `a policy decides what a row has after both sides changed it`(
    policy: MergePolicy, expected: Outcome
  ) throws {
    #expect(try outcome(of: policy) == expected)
  }

  // Semantics 69
  @Test func `a policy of one's own may keep a part of both sides`() throws {
    mine.performAndWait {
      mine.conflictHandler = { context, conflicts, applyPolicy in
        guard case .conflict(let conflicts) = conflicts else { return try applyPolicy() }
        for conflict in conflicts {
          let city = try context.existingObject(with: conflict.id)
          guard case .int64(let theirs)? = conflict.cachedSnapshot?.values[2] else { continue }
          city[City.population] += theirs
        }
        try applyPolicy()
      }
    }
    #expect(
      try outcome(of: .objectTrump)
        == Outcome(name: "Agadir", population: 3, nickname: "theirs"))
  }

  // Semantics 69
  @Test func `a conflict with the row cache has the cached row and no persisted row`() throws {
    try mine.performAndWait {
      let city = try mine.city(1)
      try theirs.saving { try theirs.city(1)[City.population] = 2 }
      city[City.name] = "Agadir"
      let error = mine.saveError()
      #expect(error?.code == 133_020)
      guard case .conflict(let conflicts) = error else { return }
      try #require(conflicts.count == 1)
      #expect(conflicts[0].objectSnapshot?.values[2] == .int64(0))
      #expect(conflicts[0].cachedSnapshot?.values[2] == .int64(2))
      #expect(conflicts[0].persistedSnapshot == nil)
    }
  }

  // Semantics 67
  @Test func `an unchanged object is compared only on request`() throws {
    try mine.performAndWait {
      let (agra, basel) = (try mine.city(1), try mine.city(2))
      try theirs.saving { try theirs.city(1)[City.population] = 2 }
      basel[City.population] = 3
      try mine.save()
      mine.detectConflicts(for: agra)
      basel[City.population] = 4
      #expect(throws: SaveError.self) { try mine.save() }
      mine.mergePolicy = .rollback
      try mine.save()
      #expect(agra[City.population] == 2)
    }
  }

  // Semantics 74
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func `a row deleted by another context stays so or is inserted again`(policy: MergePolicy)
    throws
  {
    try mine.performAndWait {
      let city = try mine.city(1)
      try theirs.saving { theirs.delete(try theirs.city(1)) }
      mine.mergePolicy = policy
      city[City.name] = "Agadir"
      try mine.save()
      #expect(!mine.hasChanges)
    }
    let isKept = policy == .objectTrump || policy == .overwrite
    #expect(try store.reading { try $0.names() } == (isKept ? ["Agadir", "Basel"] : ["Basel"]))
  }
}
