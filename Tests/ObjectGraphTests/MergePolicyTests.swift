import ObjectGraph
import TestSupport
import Testing

@Suite("Merge policies")
struct MergePolicyTests {
  /// A row's values after both sides changed it: this context changed name and population, the
  /// other one population and nickname.
  struct Outcome: Equatable {
    let name: String
    let population: Int64
    let nickname: String?
  }

  private func outcome(of policy: MergePolicy) throws -> Outcome {
    let store = try TestStore()
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let city = try #require(try mine.city(1))
      try theirs.performAndWait {
        let same = try #require(try theirs.city(1))
        same[City.population] = 2
        same[City.nickname] = "theirs"
        try theirs.save()
      }
      mine.mergePolicy = policy
      city[City.name] = "Agadir"
      city[City.population] = 1
      try mine.save()
      #expect(!city.hasChanges)
    }
    let fresh = store.context("fresh")
    let shown = try mine.performAndWait { try read(mine) }
    #expect(try fresh.performAndWait { try read(fresh) } == shown)
    return shown
  }

  private func read(_ context: ManagedObjectContext) throws -> Outcome {
    let city = try #require(try context.city(1))
    return Outcome(
      name: city[City.name], population: city[City.population], nickname: city[City.nickname])
  }

  // 70
  @Test func `store trump: the store's value wins for common changes, other edits stay`() throws {
    #expect(
      try outcome(of: .storeTrump)
        == Outcome(name: "Agadir", population: 2, nickname: "theirs"))
  }

  // 71
  @Test
  func `object trump: the object's value wins for common changes, other stored changes stay`()
    throws
  {
    #expect(
      try outcome(of: .objectTrump)
        == Outcome(name: "Agadir", population: 1, nickname: "theirs"))
  }

  // 72
  @Test func `overwrite: the whole row is written, over all stored changes`() throws {
    #expect(
      try outcome(of: .overwrite) == Outcome(name: "Agadir", population: 1, nickname: nil))
  }

  // 73
  @Test func `rollback: local edits are dropped, and the object takes the store's row`() throws {
    #expect(
      try outcome(of: .rollback) == Outcome(name: "Agra", population: 2, nickname: "theirs"))
  }

  // 69
  @Test func `a conflict with the row cache has the cached row and no persisted row`() throws {
    let store = try TestStore()
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let city = try #require(try mine.city(1))
      try theirs.performAndWait {
        try #require(try theirs.city(1))[City.population] = 2
        try theirs.save()
      }
      city[City.name] = "Agadir"
      #expect {
        try mine.save()
      } throws: { error in
        guard case SaveError.conflict(let conflicts) = error, let first = conflicts.first else {
          return false
        }
        return (error as? SaveError)?.code == 133_020 && conflicts.count == 1
          && first.objectSnapshot?.values[2] == .int64(0)
          && first.cachedSnapshot?.values[2] == .int64(2) && first.persistedSnapshot == nil
      }
    }
  }

  // 67
  @Test func `an unchanged object is compared only on request`() throws {
    let store = try TestStore()
    try store.fill([City.values(1, "Agra"), City.values(2, "Basel")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let (agra, basel) = (try #require(try mine.city(1)), try #require(try mine.city(2)))
      try theirs.performAndWait {
        try #require(try theirs.city(1))[City.population] = 2
        try theirs.save()
      }
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

  // 74
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func `a row that another context deleted stays deleted or is inserted again`(policy: MergePolicy)
    throws
  {
    let store = try TestStore()
    try store.fill([City.values(1, "Agra")])
    let (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try mine.performAndWait {
      let city = try #require(try mine.city(1))
      try theirs.performAndWait {
        theirs.delete(try #require(try theirs.city(1)))
        try theirs.save()
      }
      mine.mergePolicy = policy
      city[City.name] = "Agadir"
      try mine.save()
      #expect(!mine.hasChanges)
    }
    let isKept = policy == .objectTrump || policy == .overwrite
    let fresh = store.context("fresh")
    #expect(try fresh.performAndWait { try fresh.names() } == (isKept ? ["Agadir"] : []))
  }

  // 76
  @Test func `duplicates of unique values are an error without a policy`() throws {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      context.hire("Ada")[Company.code] = "AA"
      try context.save()
      let twin = context.hire("Bob")
      twin[Company.code] = "AA"
      #expect {
        try context.save()
      } throws: { error in
        (error as? SaveError)?.code == 133_021
      }
      #expect(twin.isInserted)
    }
  }

  // 76
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump])
  func `a new object with taken unique values updates the row or is dropped`(policy: MergePolicy)
    throws
  {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      context.hire("Ada")[Company.code] = "AA"
      try context.save()
      context.mergePolicy = policy
      context.hire("Bob")[Company.code] = "AA"
      try context.save()
      #expect(!context.hasChanges)
    }
    let fresh = store.context("fresh")
    try fresh.performAndWait {
      let names = try fresh.all(Company.person).map { $0[Company.name] }
      #expect(names == [policy == .objectTrump ? "Bob" : "Ada"])
    }
  }
}
