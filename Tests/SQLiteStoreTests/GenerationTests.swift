import Foundation
import GRDB
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

private func on(_ context: ManagedObjectContext, _ body: () throws -> Void) throws {
  try context.performAndWait(body)
}

@Suite struct GenerationTests {
  private struct Contexts {
    let store: TestStore
    let pinned: ManagedObjectContext
    let writer: ManagedObjectContext

    init(_ mode: StoreMode, rows: Int64 = 3) throws {
      store = try TestStore(mode, rows: rows)
      pinned = store.coordinator.context("pinned")
      writer = store.coordinator.context("writer")
    }

    func write(_ name: String) throws {
      try writer.performAndWait {
        let objects = try writer.fetch(FetchRequest(store.entity, sortedBy: [Sort(Fixture.key)]))
        objects[0][Fixture.name] = .string(name)
        writer.delete(objects[1])
        _ = writer.insert(store.entity, values: store.fixture.row(10))
        try writer.save()
      }
    }

    func names(_ context: ManagedObjectContext) throws -> [String] {
      try context.fetch(FetchRequest(store.entity, sortedBy: [Sort(Fixture.key)])).map {
        if case .string(let name) = $0[Fixture.name] { name } else { "?" }
      }
    }
  }

  private let before = ["city 1", "city 2", "city 3"]
  private let after = ["new", "city 3", "city 10"]

  // Semantics 91
  @Test(arguments: StoreMode.allCases)
  func `a pinned context reads one state until it is unpinned`(mode: StoreMode) throws {
    let contexts = try Contexts(mode)
    let (pinned, store) = (contexts.pinned, contexts.store)
    try on(pinned) { () throws in
      #expect(pinned.queryGenerationToken == nil)
      pinned.setQueryGeneration(from: .current)
      #expect(try pinned.count(FetchRequest(store.entity)) == 3)
    }
    try contexts.write("new")
    try on(pinned) { () throws in
      #expect(try contexts.names(pinned) == before)
      #expect(try pinned.count(FetchRequest(store.entity)) == 3)
      // A deleted row, and an old row that no fetch has read.
      #expect(try pinned.existingObject(with: store.id(2))[Fixture.name] == .string("city 2"))
      let object = pinned.object(with: store.id(1))
      #expect(object[Fixture.name] == .string("city 1"))
      pinned.setQueryGeneration(from: nil)
      #expect(object[Fixture.name] == .string("city 1"))
      try pinned.refresh(object, mergeChanges: false)
      #expect(object[Fixture.name] == .string("new"))
      #expect(try contexts.names(pinned) == after)
    }
  }

  // Semantics 91
  @Test(arguments: ["save", "merge", "reset", "current"])
  func `a pinned context moves to the newest state by itself`(by step: String) throws {
    let contexts = try Contexts(.pool)
    let (pinned, store) = (contexts.pinned, contexts.store)
    try on(pinned) { () throws in
      pinned.setQueryGeneration(from: .current)
      #expect(try contexts.names(pinned) == before)
    }
    let notes = Lock<[DidSave]>([])
    // A note retains its context, which retains its observer.
    defer { notes.withLock { $0.removeAll() } }
    _ = contexts.writer.performAndWait {
      contexts.writer.observeDidSave { save in notes.withLock { $0.append(save) } }
    }
    try contexts.write("new")
    try on(pinned) { () throws in
      #expect(try contexts.names(pinned) == before)
      var mine = 0
      switch step {
      case "save":
        _ = pinned.insert(store.entity, values: store.fixture.row(20))
        try pinned.save()
        mine = 1
      case "merge":
        for note in notes.withLock({ $0 }) { try pinned.mergeChanges(fromContextDidSave: note) }
      case "reset": pinned.reset()
      default: pinned.setQueryGeneration(from: .current)
      }
      #expect(try contexts.names(pinned).count == 3 + mine)
      #expect(try pinned.existingObject(with: store.id(1))[Fixture.name] == .string("new"))
      #expect(pinned.queryGenerationToken != nil)
    }
    try on(contexts.writer) { () throws in
      let object = try contexts.writer.existingObject(with: store.id(1))
      object[Fixture.name] = .string("newer")
      try contexts.writer.save()
    }
    try on(pinned) { () throws in
      // Pinned again.
      let object = try pinned.existingObject(with: store.id(1))
      try pinned.refresh(object, mergeChanges: false)
      #expect(object[Fixture.name] == .string("new"))
    }
  }

  // Semantics 91
  @Test func `two contexts share a state by one token, and a fault after a fetch needs no SQL`()
    throws
  {
    let contexts = try Contexts(.pool)
    let (pinned, other) = (contexts.pinned, contexts.writer)
    let token = try pinned.performAndWait {
      pinned.setQueryGeneration(from: .current)
      _ = try pinned.count(FetchRequest(contexts.store.entity))
      return pinned.queryGenerationToken
    }
    try contexts.write("new")
    try on(other) { () throws in
      other.reset()
      other.setQueryGeneration(from: token)
      #expect(other.queryGenerationToken == token)
      #expect(try contexts.names(other) == before)
      other.reset()
      other.setQueryGeneration(from: token)
    }
    let found = try other.performAndWait { try other.fetch(FetchRequest(contexts.store.entity)) }
    let id = contexts.store.id(2)
    let (name, log) = try watched {
      other.performAndWait { other.object(with: id)[Fixture.name] }
    }
    #expect(name == .string("city 2") && log[.statements] == 0)
    withExtendedLifetime(found) {}
  }

  // Semantics 33
  @Test func `a child sees its parent's generation with the parent's pending changes`() throws {
    let contexts = try Contexts(.pool)
    let pinned = contexts.pinned
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(pinned))
    try on(pinned) { () throws in
      pinned.setQueryGeneration(from: .current)
      _ = try pinned.count(FetchRequest(contexts.store.entity))
      _ = pinned.insert(contexts.store.entity, values: contexts.store.fixture.row(30))
    }
    try contexts.write("new")
    try on(child) { () throws in
      #expect(child.queryGenerationToken == nil)
      #expect(try contexts.names(child) == before + ["city 30"])
    }
  }

  @Test func `a pinned state keeps the WAL until its last token is released`() throws {
    let contexts = try Contexts(.pool)
    let (pinned, store) = (contexts.pinned, contexts.store)
    try contexts.write("older")
    var tokens = try pinned.performAndWait {
      pinned.setQueryGeneration(from: .current)
      _ = try pinned.count(FetchRequest(store.entity))
      return [pinned.queryGenerationToken]
    }
    _ = try store.coordinator.save(store.insertion(store.fixture.row(40)))
    #expect(try !isWholeWALCopied(store))
    pinned.performAndWait { pinned.setQueryGeneration(from: nil) }
    #expect(try !isWholeWALCopied(store))
    tokens.removeAll()
    #expect(try isWholeWALCopied(store))
    try on(pinned) { () throws in
      // On the connection that is free now.
      pinned.setQueryGeneration(from: .current)
      #expect(try pinned.count(FetchRequest(store.entity)) == 4)
    }
    try store.coordinator.close()
  }

  /// Whether a checkpoint copies the whole WAL.
  private func isWholeWALCopied(_ store: TestStore) throws -> Bool {
    let queue = try DatabaseQueue(path: store.url.path(percentEncoded: false))
    let row = try queue.inDatabase { try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(PASSIVE)") }
    let (pages, copied) = (row?["log"] as Int?, row?["checkpointed"] as Int?)
    return pages == copied
  }
}
