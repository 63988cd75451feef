import Queues
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Validation")
struct ValidationTests {
  let store: TestStore
  let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  private func code(_ change: (ManagedObject) -> Void) throws -> Int? {
    try context.performAndWait {
      let ada = context.hire("Ada")
      change(ada)
      do {
        try context.save()
        return nil
      } catch let error as SaveError {
        #expect(context.insertedObjects.contains(ada))
        context.rollback()
        return error.code
      }
    }
  }

  // Semantics 66
  @Test func `one failure has its own code`() throws {
    #expect(try code { $0[Company.salary] = 0 } == 1620)
    #expect(try code { $0[Company.salary] = 2_000_000 } == 1610)
    #expect(try code { $0[Company.code] = "A" } == 1670)
    #expect(try code { $0[Company.code] = "ABCDEF" } == 1660)
    #expect(try code { $0[Company.code] = "ab1" } == 1680)
    #expect(try code { $0[0] = .null } == 1570)
    #expect(try code { $0[Company.code] = "AB1" } == nil)
  }

  @Test func `a model compiles a pattern once, and any thread matches strings by it`() throws {
    let employee = Company.model.resolved[Company.model.index(of: Company.employee)]
    let patterns = employee.rules.compactMap(\.rule.pattern)
    let again = employee.rules.compactMap(\.rule.pattern)
    let pattern = try #require(patterns.first)
    #expect(again.first === pattern)
    let wrong = Story<String>()
    let threads = (0..<4).map { thread in
      TestThread {
        for number in 0..<50 {
          for (text, fits) in [("A\(thread)\(number)", true), ("a\(number)", false)]
          where pattern.matches(text) != fits { wrong.tell(text) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.all == [])
  }

  // Semantics 66
  @Test func `several failures are one error that lists them all`() throws {
    context.performAndWait {
      let ada = context.hire("Ada")
      ada[Company.salary] = 0
      ada[Company.code] = "x"
      let error = context.saveError()
      #expect(error?.code == 1560)
      guard case .validation(let errors) = error else { return }
      #expect(Set(errors.map(\.code)) == [.numberTooSmall, .stringTooShort])
    }
  }

  // Semantics 65
  @Test func `an invalid object stops the save: nothing is written, announced or lost`() throws {
    try context.performAndWait {
      let saves = Heard(0)
      context.observeDidSave { _ in saves.value += 1 }
      let good = context.hire("Bob")
      let bad = context.hire("Ada")
      bad[Company.salary] = -1
      #expect(throws: SaveError.self) { try context.save() }
      #expect(saves.value == 0)
      #expect(Set(context.insertedObjects) == [good, bad])
      let written = try store.reading { try $0.all(Company.person).count }
      #expect(written == 0)
    }
  }

  // Semantics 66
  @Test func `a to-many relationship may have too many members`() throws {
    context.performAndWait {
      let sales = context.found("Sales")
      for name in ["Ada", "Bob", "Cyd", "Dee"] { context.hire(name)[Company.dept] = sales }
      #expect(context.saveError()?.code == 1590)
    }
  }

  // Semantics 64
  @Test func `a will-save hook's change is saved, and the hook is called again`() throws {
    let told = Lock(0)
    var hooks = EntityHooks()
    hooks.willSave = { object in
      told.withLock { $0 += 1 }
      if object[1] == .int64(0) { object[1] = .int64(7) }
    }
    let thing = try Entity(
      name: "Thing",
      attributes: [
        AttributeDescription("title", .string, isOptional: true),
        AttributeDescription("count", .int64, defaultValue: .int64(0)),
      ], hooks: hooks)
    let store = try TestStore(model: try Model([thing]))
    let context = store.context()
    try context.saving { _ = context.insert(thing) }
    #expect(told.withLock { $0 } == 2)
    #expect(try store.reading { try $0.all(thing).map { $0[1] } } == [.int64(7)])
  }

  // Semantics 65. Cocoa's error 1550: "Dangling reference to an invalid object."
  @Test(arguments: [MergePolicy.error, .objectTrump, .storeTrump, .rollback])
  func `a one-way relation to a new object that was deleted again is not saved`(
    policy: MergePolicy
  ) throws {
    let tag = try Entity(name: "Tag", attributes: [AttributeDescription("name", .string)])
    let note = try Entity(
      name: "Note", attributes: [AttributeDescription("text", .string)],
      relationships: [.toOne("tag", "Tag")])
    let store = try TestStore(model: Model([tag, note]))
    let context = store.context()
    try context.performAndWait {
      context.mergePolicy = policy
      let (new, held) = (context.insert(tag), context.insert(note))
      new[0] = .string("work")
      held[0] = .string("call")
      held[try ToOneKey("tag", of: note)] = new
      context.delete(new)
      let error = context.saveError()
      #expect(error?.code == 1550)
      guard case .validation(let errors)? = error else { return }
      #expect(errors.map(\.objectID) == [held.objectID] && errors.map(\.property) == ["tag"])
      held[try ToOneKey("tag", of: note)] = nil
      try context.save()
    }
  }

  // Semantics 65
  @Test func `a relation set to a deleted object is not saved, on either side`() throws {
    try context.performAndWait {
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
      let app = context.found("App", Company.project)
      try context.save()
      context.delete(bob)
      context.delete(app)
      context.processPendingChanges()
      ada[Company.boss] = bob
      ada.add(app, to: Company.projects)
      #expect(throws: SaveError.self) { try context.save() }
      do { try context.save() } catch SaveError.validation(let errors) {
        #expect(Set(errors.map(\.property)) == ["boss", "projects"])
        #expect(errors.map(\.code) == [.custom, .custom])
        #expect(errors.map(\.objectID) == [ada.objectID, ada.objectID])
      }
      #expect(context.deletedObjects.count == 2)
      ada[Company.boss] = nil
      ada.remove(app, from: Company.projects)
      try context.save()
      #expect(try context.all(Company.person) == [ada])
    }
  }

  @Test func `an entity's own condition is one of the failures`() throws {
    struct TooShort: Error {}
    var hooks = EntityHooks()
    hooks.validate = { if $0[0] == .string("") { throw TooShort() } }
    let thing = try Entity(
      name: "Thing", attributes: [AttributeDescription("title", .string)], hooks: hooks)
    let store = try TestStore(model: try Model([thing]))
    let context = store.context()
    try context.performAndWait {
      let object = context.insert(thing, values: [.string("")])
      #expect(context.saveError()?.code == 1550)
      object[0] = .string("x")
      try context.save()
    }
  }
}
