import ObjectGraph
import Queues
import TestSupport
import Testing

// An undo after another context has saved the same row:
//
//   mine     age 1 ▸ 2 ───── merge ── undo ─▶ age 1, nick theirs
//   theirs               nick, save ─┘

@Suite("Undo after another context's save")
struct UndoMergeTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore()
    try store.fill([City.values(1, "Agra", population: 1)])
    mine = store.context("mine")
    theirs = store.context("theirs")
    mine.performAndWait { mine.undoManager = ContextUndoManager() }
  }

  private func city() throws -> ManagedObject { try mine.city(1) }

  private func theySave(merging: Bool = true, _ edit: (ManagedObject) -> Void) throws {
    let save = try theirs.saving {
      let city = try theirs.city(1)
      try theirs.refresh(city, mergeChanges: true)
      edit(city)
    }
    if merging { try mine.mergeChanges(fromContextDidSave: save) }
  }

  private func stored() throws -> String {
    try store.reading { fresh in
      let city = try fresh.city(1)
      return "\(city[City.population]) \(city[City.nickname] ?? "none")"
    }
  }

  // Semantics 80
  @Test(arguments: [false, true])
  func `undo keeps another attribute that was merged`(isSaved: Bool) throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      mine.processPendingChanges()
      if isSaved { try mine.save() }
      try theySave { $0[City.nickname] = "theirs" }
      mine.undo()
      #expect(city[City.population] == 1)
      #expect(city[City.nickname] == "theirs")
      #expect(city.hasChanges == isSaved)
      try mine.save()
    }
    #expect(try stored() == "1 theirs")
    try mine.saving { mine.redo() }
    #expect(try stored() == "2 theirs")
  }

  @Test func `a merge during the event is no part of it`() throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      try theySave { $0[City.nickname] = "theirs" }
      mine.undo()
      #expect(city[City.population] == 1 && city[City.nickname] == "theirs")
      try mine.save()
    }
    #expect(try stored() == "1 theirs")
  }

  // Semantics 80
  @Test func `refreshing all objects is nothing to undo`() throws {
    try mine.performAndWait {
      let city = try city()
      #expect(city[City.population] == 1)
      try mine.refreshAllObjects()
      #expect(mine.undoManager?.canUndo == false)
      try theySave { $0[City.population] = 3 }
      #expect(city[City.population] == 3)
      mine.undo()
      #expect(city[City.population] == 3 && !mine.hasChanges)
      try mine.save()
    }
    #expect(try stored() == "3 none")
  }

  @Test func `a rollback and a refresh are nothing to undo`() throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      mine.rollback()
      #expect(mine.undoManager?.canUndo == false)
      try mine.refresh(city, mergeChanges: false)
      mine.processPendingChanges()
      #expect(mine.undoManager?.canUndo == false)
    }
  }

  // Semantics 80
  @Test(arguments: [false, true])
  func `undo leaves an attribute that another context changed, and the save is a conflict`(
    isSaved: Bool
  ) throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      mine.processPendingChanges()
      if isSaved { try mine.save() }
      try theySave { $0[City.population] = 3 }
      mine.undo()
      #expect(city[City.population] == 3)
      let error = mine.saveError()
      #expect(error?.code == 133_020)
      try mine.refresh(city, mergeChanges: true)
      try mine.save()
    }
    #expect(try stored() == "3 none")
  }

  @Test(arguments: MergePolicy.allCases.filter { $0 != .error })
  func `under a merge policy the other context's value stays`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let city = try city()
      city[City.population] = 2
      try mine.save()
      try theySave { $0[City.population] = 3 }
      mine.undo()
      try mine.save()
      #expect(city[City.population] == 3)
    }
    #expect(try stored() == "3 none")
  }

  @Test func `undo without a merge is a conflict at the save`() throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      try mine.save()
      try theySave(merging: false) { $0[City.population] = 3 }
      mine.undo()
      #expect(city[City.population] == 1)
      #expect(throws: SaveError.self) { try mine.save() }
    }
    #expect(try stored() == "3 none")
  }

  @Test func `undo reverts several saves of this context one by one`() throws {
    try mine.performAndWait {
      let city = try city()
      for population in [2, 3, 4] as [Int64] {
        city[City.population] = population
        try mine.save()
      }
      try mine.refreshAllObjects()
      for population in [3, 2, 1] as [Int64] {
        mine.undo()
        #expect(city[City.population] == population)
        try mine.save()
      }
      mine.redo()
      #expect(city[City.population] == 2)
    }
  }

  @Test func `undo of a merged deletion brings nothing back`() throws {
    try mine.performAndWait {
      let city = try city()
      city[City.population] = 2
      mine.processPendingChanges()
      let save = try theirs.saving { theirs.delete(try theirs.city(1)) }
      try mine.mergeChanges(fromContextDidSave: save)
      mine.undo()
      mine.redo()
      #expect(city.isDeleted && !mine.hasChanges)
      try mine.save()
      #expect(try mine.names() == [])
    }
  }
}
