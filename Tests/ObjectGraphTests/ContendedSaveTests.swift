import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite struct ContendedSaveTests {
  struct Case: CustomTestStringConvertible {
    let mode: StoreMode
    let policy: MergePolicy
    var testDescription: String { "\(mode) \(policy)" }

    static let all = StoreMode.allCases.flatMap { mode in
      [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback].map {
        Case(mode: mode, policy: $0)
      }
    }
  }

  private final class Contest: Sendable {
    let store: TestStore
    let mine: ManagedObjectContext
    private let attempt = Lock<(count: Int, rival: (@Sendable (Int64) throws -> Void)?)>((0, nil))

    init(_ mode: StoreMode, _ policy: MergePolicy, model: Model) throws {
      let store = try TestStore(mode, model: model)
      self.store = store
      let attempt = attempt
      let watched = WatchedCoordinator(
        store.coordinator,
        willCommit: {
          let (count, rival) = attempt.withLock { attempt in
            attempt.count += 1
            return (attempt.count, attempt.rival)
          }
          try rival?(Int64(count))
        })
      mine = ManagedObjectContext(
        name: "mine", queue: PrivateQueue(label: "mine"), parent: .coordinator(watched))
      mine.mergePolicy = policy
    }

    /// - Parameter body: gets the attempt's number.
    func beforeEachAttempt(_ body: @escaping @Sendable (Int64) throws -> Void) {
      attempt.withLock { $0 = (0, body) }
    }

    /// In a new context, which has no conflicts.
    func save(_ edit: (ManagedObjectContext) throws -> Void) throws {
      let rival = store.context("rival")
      try rival.saving { try edit(rival) }
    }

    var attempts: Int { attempt.withLock { $0.count } }
  }

  // Semantics 67
  @Test(arguments: Case.all)
  func `a save succeeds though a rival and a batch update change its row before each attempt`(
    _ test: Case
  ) throws {
    let contest = try Contest(test.mode, test.policy, model: City.model)
    let mine = contest.mine
    try contest.store.fill([City.values(1, "Agra")])
    contest.beforeEachAttempt { [unowned contest] attempt in
      try contest.save { try $0.city(1)[City.population] = attempt }
      _ = try contest.store.coordinator.execute(
        .update(City.entity, set: ["nickname": .string("\(attempt)")]))
    }
    try mine.performAndWait {
      let city = try mine.city(1)
      city[City.name] = "Agadir"
      try mine.save()
      #expect(!mine.hasChanges)
    }
    let last = Int64(contest.attempts)
    #expect(last < 10)
    try contest.store.reading { fresh in
      let city = try fresh.city(1)
      #expect(city[City.name] == (test.policy == .rollback ? "Agra" : "Agadir"))
      #expect(city[City.population] == (test.policy == .overwrite ? 0 : last))
      #expect(city[City.nickname] == (test.policy == .overwrite ? nil : "\(last)"))
    }
  }

  // Semantics 67
  @Test func `a save succeeds though another coordinator changes its row before each attempt`()
    throws
  {
    let contest = try Contest(.pool, .objectTrump, model: City.model)
    try contest.store.fill([City.values(1, "Agra")])
    let other = try SQLiteCoordinator(
      StoreConfiguration(url: contest.store.file, mode: .pool), model: City.model)
    contest.beforeEachAttempt { attempt in
      _ = try other.execute(.update(City.entity, set: ["population": .int64(attempt)]))
    }
    let mine = contest.mine
    try mine.performAndWait {
      let city = try mine.city(1)
      city[City.name] = "Agadir"
      try mine.save()
      #expect(city[City.population] == Int64(contest.attempts))
    }
    try other.close()
  }

  // Semantics 67, 104
  @Test(arguments: Case.all)
  func `a deletion leaves no dangling reference though a rival adds members before each attempt`(
    _ test: Case
  ) throws {
    let contest = try Contest(test.mode, test.policy, model: Company.model)
    let mine = contest.mine
    try mine.saving { _ = (mine.hire("boss"), mine.found("App", Company.project)) }
    contest.beforeEachAttempt { [unowned contest] attempt in
      try contest.save { rival in
        let new = rival.hire("new \(attempt)")
        new[Company.boss] = try rival.person("boss")
        new.add(try #require(try rival.all(Company.project).first), to: Company.projects)
      }
    }
    try mine.performAndWait {
      mine.delete(try #require(try mine.person("boss")))
      mine.delete(try #require(try mine.all(Company.project).first))
      try mine.save()
      #expect(!mine.hasChanges)
    }
    #expect(contest.attempts < 10)
    #expect(try contest.store.coordinator.danglingReferences() == [])
    let isDeleted = test.policy == .objectTrump || test.policy == .overwrite
    #expect(try contest.store.reading { try $0.person("boss") == nil } == isDeleted)
  }

  /// The label joins title and body. Hook calls are counted by the note's key.
  private struct Notes {
    let entity: Entity
    let model: Model
    let calls: Lock<[String: Int]>
    let whenValidated: Lock<(@Sendable () -> Void)?>

    enum Column: Int, CaseIterable { case key, title, body, label }

    init() throws {
      let calls = Lock<[String: Int]>([:])
      let whenValidated = Lock<(@Sendable () -> Void)?>(nil)
      @Sendable func text(_ note: ManagedObject, _ column: Column) -> String {
        if case .string(let text) = note[column.rawValue] { text } else { "" }
      }
      var hooks = EntityHooks()
      hooks.willSave = { note in
        calls.withLock { $0["willSave " + text(note, .key), default: 0] += 1 }
        let label = text(note, .title) + text(note, .body)
        if text(note, .label) != label { note[Column.label.rawValue] = .string(label) }
      }
      hooks.validate = { note in
        calls.withLock { $0["validate " + text(note, .key), default: 0] += 1 }
        whenValidated.withLock { $0 }?()
      }
      entity = try Entity(
        name: "Note",
        attributes: Column.allCases.map {
          AttributeDescription("\($0)", .string, defaultValue: .string(""))
        }, hooks: hooks)
      model = try Model([entity])
      (self.calls, self.whenValidated) = (calls, whenValidated)
    }

    func insert(_ keys: [String], into context: ManagedObjectContext) throws {
      for key in keys { context.insert(entity)[Column.key.rawValue] = .string(key) }
      try context.save()
      calls.withLock { $0 = [:] }
    }

    func setBody(_ body: String, in store: TestStore) throws {
      let key = try AttributeKey<String>("key", of: entity)
      _ = try store.coordinator.execute(
        .update(entity, where: key == "a", set: ["body": .string(body)]))
    }
  }

  // Semantics 64
  @Test func `hooks are called again for the row that others changed, and for no other row`()
    throws
  {
    let notes = try Notes()
    let contest = try Contest(.pool, .objectTrump, model: notes.model)
    let mine = contest.mine
    try mine.performAndWait {
      try notes.insert(["a", "b"], into: mine)
      contest.beforeEachAttempt { [store = contest.store] in
        try notes.setBody("\($0)", in: store)
      }
      for note in try mine.all(notes.entity) { note[Notes.Column.title.rawValue] = .string("t") }
      try mine.save()
      let labels = try mine.all(notes.entity).map { $0[Notes.Column.label.rawValue] }
      #expect(labels == [.string("t\(contest.attempts)"), .string("t")])
    }
    let attempts = contest.attempts
    #expect(
      notes.calls.withLock { $0 } == [
        "validate a": attempts + 1, "validate b": 1, "willSave a": 2 * attempts + 2,
        "willSave b": 2,
      ])
  }

  // Semantics 67
  @Test(arguments: StoreMode.allCases)
  func `a hook that writes to its own row cannot starve the save and is stopped at the end`(
    mode: StoreMode
  ) throws {
    let notes = try Notes()
    let contest = try Contest(mode, .objectTrump, model: notes.model)
    let (mine, store) = (contest.mine, contest.store)
    let results = Story<StoreError?>()
    try mine.performAndWait { try notes.insert(["a"], into: mine) }
    let other = store.context("other")
    notes.whenValidated.withLock {
      $0 = {
        #expect(throws: Never.self) {
          _ = try other.performAndWait { try other.all(notes.entity) }
          do {
            try notes.setBody("\(results.all.count)", in: store)
            results.tell(nil)
          } catch let error as StoreError { results.tell(error) }
        }
      }
    }
    try mine.saving {
      try #require(try mine.all(notes.entity).first)[Notes.Column.title.rawValue] = .string("t")
    }
    #expect(contest.attempts < 10)
    #expect(results.all.dropLast().allSatisfy { $0 == nil })
    #expect(results.all.last == .writtenByHook(path: store.file.path))
  }
}
