import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// A deleted row is inserted again, with the same key:
//
//   mine     edit ──────────────── save (overwrite): inserted again ── merge the deletion
//   theirs         delete, save

@Suite("Rows that were deleted and inserted again")
struct ReturnedRowTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra")
    mine = store.context("mine")
    theirs = store.context("theirs")
    mine.performAndWait { mine.mergePolicy = .overwrite }
  }

  // Semantics 85
  @Test(arguments: [true, false])
  func `a merge of an old deletion keeps a row that is back`(isFault: Bool) throws {
    try mine.performAndWait {
      let city = try mine.city(1)
      let deletion = try theirs.saving { theirs.delete(try theirs.city(1)) }
      city[City.name] = "Ajmer"
      try mine.save()
      if isFault { try mine.refresh(city, mergeChanges: false) }
      try mine.mergeChanges(fromContextDidSave: deletion)
      #expect(!city.isDeleted && mine.deletedObjects.isEmpty)
      city[City.name] = "Agadir"
      try mine.save()
      #expect(try mine.names() == ["Agadir"])
    }
  }

  // Semantics 84, 85
  @Test func `a merge of an insertion brings back an object that a merge deleted`() throws {
    theirs.performAndWait { theirs.undoManager = ContextUndoManager() }
    try mine.performAndWait {
      let held = try mine.city(1)
      let deletion = try theirs.saving { theirs.delete(try theirs.city(1)) }
      try mine.mergeChanges(fromContextDidSave: deletion)
      #expect(try mine.names() == [])
      let insertion = try theirs.saving { theirs.undo() }
      let announced = Heard<[ManagedObject]>([])
      mine.observeObjectsDidChange { announced.value += $0.inserted }
      try mine.mergeChanges(fromContextDidSave: insertion)
      #expect(announced.value == [held])
      #expect(!held.isDeleted && !held.hasChanges)
      #expect(try mine.names() == ["Agra"])
      held[City.name] = "Ajmer"
      try mine.save()
    }
    #expect(try store.reading { try $0.names() } == ["Ajmer"])
  }

  // Semantics 84, 85: seed 33665 of the random stories
  @Test func `a merge of an insertion refreshes an object that a rollback has kept`() throws {
    theirs.performAndWait { theirs.mergePolicy = .objectTrump }
    let edited = try theirs.performAndWait { try theirs.city(1) }
    let child = mine.child()
    let deleted = try child.performAndWait { try child.city(1) }
    _ = try mine.saving { mine.delete(try mine.city(1)) }
    try child.performAndWait {
      child.delete(deleted)
      try child.save()
    }
    try mine.performAndWait {
      let kept = try #require(mine.deletedObjects.first)
      mine.rollback()
      #expect(!kept.isDeleted && kept[City.name] == "Agra")
      let insertion = try theirs.saving { edited[City.name] = "Ajmer" }
      #expect(insertion.inserted == [kept.objectID])
      try mine.mergeChanges(fromContextDidSave: insertion)
      #expect(kept[City.name] == "Ajmer")
      kept[City.name] = "Agadir"
      try mine.save()
    }
    #expect(try store.reading { try $0.names() } == ["Agadir"])
  }

  // Semantics 85: seed 4296 of the random stories
  @Test func `a child's merge refreshes an object whose deletion its parent has taken back`() throws
  {
    let children = [mine.child("first"), mine.child("second")]
    let new = mine.performAndWait {
      mine.insert(City.entity, values: City.values(2, "Bari"))
    }
    let held = try children.map { child in
      try child.performAndWait {
        let city = try child.city(2)
        city.fireFault()
        return city
      }
    }
    _ = try mine.saving { mine.delete(new) }
    try children[0].performAndWait {
      held[0][City.name] = "Bonn"
      try children[0].save()
    }
    let insertion = try mine.saving {}
    try children[1].performAndWait {
      try children[1].mergeChanges(fromContextDidSave: insertion)
      #expect(held[1][City.name] == "Bonn")
    }
  }

  // Semantics 85
  @Test func `a merge of a child's old deletion keeps an object its parent brought back`() throws {
    let children = [mine.child("first"), mine.child("second")]
    let held = try children[1].performAndWait { try children[1].city(1) }
    let deletion = try children[0].saving { children[0].delete(try children[0].city(1)) }
    mine.performAndWait { mine.rollback() }
    try children[1].performAndWait {
      try children[1].mergeChanges(fromContextDidSave: deletion)
      #expect(!held.isDeleted)
    }
  }

  // Semantics 67, 80
  @Test(arguments: [false, true])
  func `a row that is back conflicts with changes to the old row`(throughChild: Bool) throws {
    let old = try theirs.performAndWait { try theirs.city(1) }
    let deleter = throughChild ? mine.child() : mine
    func save() throws {
      try deleter.performAndWait { try deleter.save() }
      if throughChild { try mine.performAndWait { try mine.save() } }
    }
    try deleter.performAndWait {
      deleter.undoManager = ContextUndoManager()
      deleter.delete(try deleter.city(1))
    }
    try save()
    deleter.performAndWait { deleter.undo() }
    try save()
    try theirs.performAndWait {
      old[City.name] = "Ajmer"
      #expect(throws: SaveError.self) { try theirs.save() }
      try theirs.refresh(old, mergeChanges: true)
      try theirs.save()
      #expect(try theirs.names() == ["Ajmer"])
    }
  }

  // Semantics 67
  @Test func `a row that comes back twice has a new version each time`() throws {
    var versions: [Int64] = []
    try mine.performAndWait {
      mine.undoManager = ContextUndoManager()
      let city = try mine.city(1)
      for _ in 0..<2 {
        mine.delete(city)
        try mine.save()
        mine.undo()
        try mine.save()
        store.coordinator.forgetRows(of: [city.objectID])
        versions.append(try #require(try store.coordinator.snapshot(of: city.objectID)).version)
        city[City.name] = "Ajmer"
        try mine.save()
      }
    }
    #expect(versions[0] > 1 && versions[1] > versions[0] + 1)
  }
}
