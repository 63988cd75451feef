import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Blocks on contexts")
struct ContextBlockTests {
  /// Runs a block on the context's queue until `letGo` opens.
  private func hold(_ context: ManagedObjectContext) -> (letGo: Gate, Void) {
    let (isHeld, letGo) = (Gate(), Gate())
    context.perform {
      isHeld.open()
      letGo.wait()
    }
    isHeld.wait()
    return (letGo, ())
  }

  // Semantics 1
  @Test func `perform returns at once, and blocks run in order on the context's queue`() throws {
    let store = try TestStore()
    let context = store.context()
    let story = Story<Int>()
    let (letGo, _) = hold(context)
    for number in 0..<100 {
      context.perform {
        #expect(context.queue.isCurrent)
        story.tell(number)
      }
    }
    #expect(story.all.isEmpty)
    letGo.open()
    context.performAndWait {}
    #expect(story.all == Array(0..<100))
  }

  // Semantics 2
  @Test func `a block submitted by a block runs after those already queued`() throws {
    let store = try TestStore()
    let context = store.context()
    let story = Story<String>()
    let (letGo, _) = hold(context)
    context.perform {
      context.perform { story.tell("inner") }
      context.performAndWait { context.perform { story.tell("innermost") } }
      story.tell("outer")
    }
    context.perform { story.tell("next") }
    letGo.open()
    context.performAndWait {}
    context.performAndWait {}
    #expect(story.all == ["outer", "next", "inner", "innermost"])
  }

  // Semantics 3
  @Test func `performAndWait inside a block of the same context runs inline`() throws {
    let store = try TestStore()
    let context = store.context()
    let story = Story<String>()
    let tell: @Sendable (String) -> Void = { name in
      context.performAndWait { story.tell("inside \(name)") }
      story.tell("after \(name)")
    }
    context.perform { tell("perform") }
    context.performAndWait { tell("performAndWait") }
    #expect(
      story.all == [
        "inside perform", "after perform", "inside performAndWait", "after performAndWait",
      ])
  }

  // Semantics 4
  @Test func `performAndWait on a private context, and observers, run on the caller's thread`()
    throws
  {
    let store = try TestStore()
    let context = store.context()
    let threads = Story<ObjectIdentifier>()
    let here = ObjectIdentifier(Thread.current)
    try context.performAndWait {
      context.observeObjectsDidChange { _ in threads.tell(ObjectIdentifier(Thread.current)) }
      context.observeDidSave { _ in threads.tell(ObjectIdentifier(Thread.current)) }
      _ = context.insert(City.entity, values: City.values(1, "Agra"))
      try context.save()
    }
    #expect(threads.all == [here, here])
  }

  // Semantics 5
  @Test func `a worker that waits for a main context waits until main has run the block`() throws {
    let store = try TestStore()
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator), isChecked: true)
    let story = Story<String>()
    let (letGo, _) = hold(view)
    let worker = TestThread.waiting {
      view.performAndWait { story.tell("block on main: \(view.queue.isCurrent)") }
      story.tell("worker goes on on main: \(view.queue.isCurrent)")
    }
    #expect(story.all.isEmpty)
    letGo.open()
    worker.join()
    #expect(story.all == ["block on main: true", "worker goes on on main: false"])
    // Main needs no perform, checked or not.
    main.sync { _ = view.insert(City.entity, values: City.values(1, "Agra")) }
  }

  // Semantics 8
  @Test func `main's changes outside blocks are announced and listed at the turn's end`() throws {
    let store = try TestStore()
    let clock = ManualClock()
    let main = SimulatedMainQueue(clock: clock, heartbeat: nil)
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator))
    let story = Story<String>()
    main.async {
      view.observeObjectsDidChange { change in story.tell("\(change.inserted.count) inserted") }
      view.observeDidSave { _ in story.tell("saved") }
      _ = view.insert(City.entity, values: City.values(1, "Agra"))
      _ = view.insert(City.entity, values: City.values(2, "Bern"))
      story.tell("block ends")
    }
    main.run(turning: clock, until: clock.now())
    #expect(story.all == ["block ends", "2 inserted"])
  }

  // Semantics 9
  @Test(arguments: [StoreMode.pool, .serial])
  func `blocks of two root contexts of one coordinator overlap`(mode: StoreMode) throws {
    let store = try TestStore(mode)
    let (one, two) = (store.context("one"), store.context("two"))
    let (first, second) = (Gate(), Gate())
    let thread = TestThread {
      one.performAndWait {
        first.open()
        second.wait()
      }
    }
    two.performAndWait {
      second.open()
      first.wait()
    }
    thread.join()
  }

  // Semantics 19
  @Test func `a child's save and its busy parent wait for each other in turn`() throws {
    let store = try TestStore()
    let parent = store.context("parent")
    let child = parent.child()
    let (causes, story) = (Story<WaitCause>(), Story<String>())
    let (letGo, _) = hold(parent)
    let (isSaving, mayEnd) = (Gate(), Gate())
    let saver = TestThread.waiting(causes) {
      child.performAndWait {
        _ = child.insert(City.entity, values: City.values(1, "Agra"))
        try? child.save()
        story.tell("saved")
      }
    }
    #expect(causes.all == [.parent])
    parent.perform { story.tell("before the save") }
    let late = TestThread.waiting { parent.performAndWait { story.tell("after the save") } }
    letGo.open()
    for thread in [saver, late] { thread.join() }
    #expect(Set(story.all) == ["saved", "before the save", "after the save"])

    _ = parent.performAndWait {
      parent.observeObjectsDidChange { _ in
        isSaving.open()
        mayEnd.wait()
      }
    }
    let second = TestThread {
      child.performAndWait {
        _ = child.insert(City.entity, values: City.values(2, "Bern"))
        try? child.save()
      }
    }
    isSaving.wait()
    let fetcher = TestThread.waiting(causes) {
      _ = parent.performAndWait { try? parent.names() }
      story.tell("fetched")
    }
    #expect(!story.all.contains("fetched"))
    mayEnd.open()
    for thread in [second, fetcher] { thread.join() }
    #expect(parent.performAndWait { parent.insertedObjects.count } == 2)
  }

  // Semantics 20, 35
  @Test(arguments: [StoreMode.pool, .serial])
  func `a grandchild's fetch waits for each ancestor's queue in every store mode`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, of: "Agra")
    let root = store.context("root")
    let (main, sibling) = (root.child("main"), store.context("sibling"))
    let worker = main.child("worker")
    for ancestor in [main, root] {
      let causes = Story<WaitCause>()
      let (letGo, _) = hold(ancestor)
      let fetcher = TestThread.waiting(causes) {
        _ = worker.performAndWait { try? worker.names() }
      }
      #expect(causes.all == [.parent])
      #expect(try sibling.performAndWait { try sibling.names() } == ["Agra"])
      letGo.open()
      fetcher.join()
    }
  }

  // Semantics 21
  @Test func `a parent that waits for its child stops if the child needs the parent`() async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStore()
      let parent = store.context("parent")
      let child = parent.child("child")
      try parent.performAndWait {
        _ = try child.performAndWait { try child.fetch(FetchRequest(City.entity)) }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("context 'child' needs its parent 'parent', which waits for it"))
  }

  // Semantics 21
  @Test func `main may run its child's block, which then does not wait for main`() throws {
    let store = try TestStore(of: "Agra")
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator))
    let worker = view.child("worker")
    #expect(try main.sync { try worker.performAndWait { try worker.names() } } == ["Agra"])
  }

  // Semantics 88
  @Test func `a did-save can be passed to another queue and merged there only`() async throws {
    let store = try TestStore(of: "Agra")
    let (worker, view) = (store.context("worker"), store.context("view"))
    view.performAndWait { view.retainsRegisteredObjects = true }
    let id = try view.performAndWait { try view.city(1).objectID }
    let story = Story<String>()
    _ = worker.performAndWait {
      worker.observeDidSave { save in
        view.perform {
          #expect(view.queue.isCurrent && !worker.queue.isCurrent)
          try? view.mergeChanges(fromContextDidSave: save)
          story.tell(view.object(with: id)[City.name])
        }
      }
    }
    try worker.saving { try worker.city(1)[City.name] = "Agadir" }
    view.performAndWait {}
    #expect(story.all == ["Agadir"])

    await #expect(processExitsWith: .failure) {
      let store = try TestStore()
      let (worker, view) = (store.context("worker"), store.context("view"))
      try worker.performAndWait {
        worker.observeDidSave { try? view.mergeChanges(fromContextDidSave: $0) }
        try worker.save()
      }
    }
  }
}
