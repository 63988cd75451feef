import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Changes around a validation") struct ValidationHookTests {
  @Test func `what a hook changes, inserts and relates elsewhere is part of the save`() throws {
    let target = Lock<ManagedObjectID?>(nil)
    let log = try Entity(
      name: "Log", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("notes", "Note", inverse: "log")])
    var hooks = EntityHooks()
    hooks.validate = { note in
      guard let id = target.withLock({ $0.take() }), let context = note.context else { return }
      let found = context.object(with: id)
      found[0] = .string("checked")
      note[1] = .object(id)
      context.insert(found.entity)[0] = .string("new")
    }
    let note = try Entity(
      name: "Note", attributes: [AttributeDescription("title", .string)],
      relationships: [.toOne("log", "Log", inverse: "notes")], hooks: hooks)
    let store = try TestStore(model: Model([log, note]))
    let context = store.context()
    try context.performAndWait {
      let (first, item) = (context.insert(log), context.insert(note))
      first[0] = .string("log")
      item[0] = .string("item")
      try context.save()
      target.withLock { $0 = first.objectID }
      item[0] = .string("changed")
      try context.save()
      #expect(!context.hasChanges)
      let titles = try store.reading { try $0.all(log).map { $0[0] } }
      #expect(Set(titles) == [.string("checked"), .string("new")])
      let logs = try store.reading { try $0.all(note).map { $0[1] } }
      #expect(logs == [.object(first.objectID)])
      item[0] = .string("changed again")
      try context.save()
    }
  }

  // Semantics 66
  @Test func `a hook's deletion of a changed object is denied by a rule`() throws {
    let deletes = Lock(false)
    var hooks = EntityHooks()
    hooks.validate = { note in
      guard deletes.withLock({ $0 }), case .object(let id) = note[1], let context = note.context
      else { return }
      context.delete(context.object(with: id))
    }
    let log = try Entity(
      name: "Log", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("notes", "Note", inverse: "log", deleteRule: .deny)])
    let note = try Entity(
      name: "Note", attributes: [AttributeDescription("title", .string)],
      relationships: [.toOne("log", "Log", inverse: "notes")], hooks: hooks)
    let store = try TestStore(model: Model([log, note]))
    let context = store.context()
    try context.performAndWait {
      let (first, item) = (context.insert(log), context.insert(note))
      first[0] = .string("log")
      item[0] = .string("item")
      item[1] = .object(first.objectID)
      try context.save()
      deletes.withLock { $0 = true }
      (first[0], item[0]) = (.string("changed"), .string("changed"))
      #expect(context.saveError()?.code == 1600)
    }
  }

  // Semantics 65. Cocoa's error 1550: "Dangling reference to an invalid object."
  @Test(arguments: [MergePolicy.error, .objectTrump, .storeTrump, .rollback])
  func `a two-way relation to a new object that was deleted again is not saved`(
    policy: MergePolicy
  ) throws {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      context.mergePolicy = policy
      let ada = context.hire("Ada")
      try context.save()
      let eve = context.hire("Eve")
      context.delete(eve)
      context.processPendingChanges()
      ada[Company.boss] = eve
      #expect(context.saveError()?.code == 1550)
      ada[Company.boss] = nil
      try context.save()
    }
  }

  // Semantics 66
  @Test func `a bound may be a number of another type`() throws {
    let price = AttributeDescription(
      "price", .double, validation: AttributeValidation(minimum: .int64(0), maximum: .decimal(9)))
    let item = try Entity(name: "Item", attributes: [price])
    let store = try TestStore(model: Model([item]))
    let context = store.context()
    try context.performAndWait {
      let new = context.insert(item)
      for (value, code) in [(-0.5, 1620), (9.5, 1610)] as [(Double, Int)] {
        new[0] = .double(value)
        #expect(context.saveError()?.code == code, "\(value)")
      }
      new[0] = .double(9)
      try context.save()
    }
  }

  @Test func `a bound of another kind stops the program with a sentence`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AttributeDescription(
        "due", .date, validation: AttributeValidation(minimum: .int64(0)))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("a bound of 'due' must be of type date, not 0"))
  }
}
