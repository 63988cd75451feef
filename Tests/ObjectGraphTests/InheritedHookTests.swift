import ObjectGraph
import Queues
import TestSupport
import Testing

// Person ─ Employee ─ Manager, which has no hooks of its own

@Suite("Hooks of subentities") struct InheritedHookTests {
  private let told = Lock<[String]>([])

  private func hooks(of entity: String) -> EntityHooks {
    let told = told
    @Sendable func tell(_ hook: String) { told.withLock { $0.append("\(entity) \(hook)") } }
    var hooks = EntityHooks()
    hooks.awakeFromInsert = { _ in tell("awakeFromInsert") }
    hooks.awakeFromFetch = { _ in tell("awakeFromFetch") }
    hooks.willSave = { _ in tell("willSave") }
    hooks.didSave = { _ in tell("didSave") }
    hooks.prepareForDeletion = { _ in tell("prepareForDeletion") }
    hooks.validate = { _ in tell("validate") }
    return hooks
  }

  private func takeCalls() -> [String] {
    told.withLock { calls in
      let taken = calls
      calls = []
      return taken
    }
  }

  private func both(_ hook: String) -> [String] { ["person \(hook)", "employee \(hook)"] }

  @Test func `an object of a subentity gets its parents' hooks, the topmost first`() throws {
    let person = try Entity(
      name: "Person", attributes: [AttributeDescription("name", .string)],
      hooks: hooks(of: "person"))
    let employee = try Entity(name: "Employee", parent: person, hooks: hooks(of: "employee"))
    let manager = try Entity(name: "Manager", parent: employee)
    let store = try TestStore(model: try Model([person, employee, manager]))
    let context = store.context()
    try context.performAndWait {
      let eve = context.insert(manager)
      #expect(takeCalls() == both("awakeFromInsert"))
      eve[0] = .string("Eve")
      try context.save()
      #expect(takeCalls() == both("willSave") + both("validate") + both("didSave"))
      try context.refresh(eve, mergeChanges: false)
      eve.fireFault()
      #expect(takeCalls() == both("awakeFromFetch"))
      context.delete(eve)
      #expect(takeCalls() == both("prepareForDeletion"))
      _ = context.insert(person)
      #expect(takeCalls() == ["person awakeFromInsert"])
    }
  }

  @Test func `a parent's validation refuses an object of a subentity`() throws {
    struct Nameless: Error {}
    var hooks = EntityHooks()
    hooks.validate = { if $0[0] == .string("") { throw Nameless() } }
    let person = try Entity(
      name: "Person", attributes: [AttributeDescription("name", .string)], hooks: hooks)
    let employee = try Entity(name: "Employee", parent: person, hooks: self.hooks(of: "employee"))
    let store = try TestStore(model: try Model([person, employee]))
    let context = store.context()
    try context.performAndWait {
      let eve = context.insert(employee)
      eve[0] = .string("")
      #expect(throws: SaveError.self) { try context.save() }
      #expect(!takeCalls().contains("employee validate"))
      eve[0] = .string("Eve")
      try context.save()
    }
  }
}
