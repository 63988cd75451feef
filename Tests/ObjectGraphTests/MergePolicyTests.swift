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
    try mine.performAndWait {
      let city = try mine.city(1)
      try theirs.saving { try theirs.city(1)[City.population] = 2 }
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

  // 74
  @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback])
  func `a row that another context deleted stays deleted or is inserted again`(policy: MergePolicy)
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
