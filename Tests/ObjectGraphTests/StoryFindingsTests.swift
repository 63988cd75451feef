import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// Failures found by random stories, each reduced to its shortest form.
@Suite("Short stories that once failed") struct StoryFindingsTests {
  let store: AtlasStore
  let parent: ManagedObjectContext
  let child: ManagedObjectContext

  init() throws {
    store = try AtlasStore()
    parent = store.context("parent")
    child = parent.child()
  }

  // Semantics 79
  @Test func `a deletion rolled back within its event leaves the object in its context`() throws {
    try parent.performAndWait {
      let city = parent.insertCity("Agra")
      try parent.save()
      parent.delete(city)
      parent.rollback()
      #expect(parent.registeredObject(for: city.objectID) === city)
      city[Atlas.City.name] = "Ajmer"
      try parent.save()
    }
  }

  // Semantics 77, 79
  @Test func `a rollback does not announce again what was inserted and deleted before it`() throws {
    let deleted = Heard(0)
    _ = parent.performAndWait {
      parent.observeObjectsDidChange { deleted.value += $0.deleted.count }
    }
    try child.performAndWait {
      let city = child.insertCity("Agra")
      try child.save()
      child.delete(city)
      try child.save()
    }
    parent.performAndWait { parent.rollback() }
    #expect(deleted.value == 1)
  }

  // Semantics 77
  @Test(arguments: [true, false])
  func `two new objects deleted together do not come back empty`(cityFirst: Bool) throws {
    try parent.performAndWait {
      let country = parent.insertCountry("India")
      try parent.save()
      let city = parent.insertCity("Agra")
      country[Atlas.Country.capital] = city
      for object in cityFirst ? [city, country] : [country, city] { parent.delete(object) }
      try parent.save()
      #expect(parent.deletedObjects.isEmpty)
      #expect(parent.registeredObjects.isEmpty)
    }
  }

  // Semantics 53
  @Test func `a new object's save does not touch a refreshed object with relationships`() throws {
    try parent.performAndWait {
      let city = parent.insertCity("Agra")
      try parent.save()
      city[Atlas.City.name] = "Ajmer"
      try parent.refresh(city, mergeChanges: false)
      try parent.obtainPermanentIDs(for: [parent.insertCity("Bern")])
      #expect(city[Atlas.City.name] == "Agra")
    }
  }

  // Semantics 14
  @Test func `an object whose edits were refreshed away leaves without references`() throws {
    try parent.performAndWait {
      do {
        let city = parent.insertCity("Agra")
        try parent.save()
        city[Atlas.City.name] = "Ajmer"
        try parent.refresh(city, mergeChanges: false)
      }
      parent.processPendingChanges()
      #expect(parent.registeredObjects.isEmpty)
    }
  }

  // Semantics 22
  @Test func `a child does not see an object that its parent inserted and deletes`() throws {
    let id = parent.performAndWait {
      let city = parent.insertCity("Agra")
      parent.delete(city)
      return city.objectID
    }
    _ = child.performAndWait {
      #expect(throws: ObjectNotFound.self) { try child.existingObject(with: id) }
    }
  }

  // Semantics 56, 85
  @Test func `an object whose row is found missing is no change to save`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      let city = parent.insertCity("Agra")
      try parent.save()
      city[Atlas.City.name] = "Ajmer"
      try parent.refresh(city, mergeChanges: false)
      try other.saving {
        other.delete(try #require(try other.fetch(FetchRequest(Atlas.city)).first))
        _ = other.insertCity("Bern")
      }
      city.fireFault()
      #expect(city.isDeleted)
      #expect(!parent.hasChanges)
      // A result without sorting here realises no objects.
      let request = FetchRequest(Atlas.city, sortedBy: [Atlas.City.name.ascending])
      #expect(try parent.fetch(request).map(\.isFault) == [true])
      let saved = Heard<[ManagedObjectID]>([])
      parent.observeDidSave { saved.value += $0.deleted }
      try parent.save()
      #expect(saved.value.isEmpty)
    }
  }

  // Semantics 41, 67
  @Test func `an edit of an object that the parent has rolled back is a conflict`() throws {
    try child.performAndWait {
      let city = child.insertCity("Agra")
      try child.save()
      parent.performAndWait { parent.rollback() }
      city[Atlas.City.name] = "Ajmer"
      try child.save()
      parent.performAndWait {
        #expect(throws: SaveError.self) { try parent.save() }
        #expect(parent.updatedObjects.map(\.objectID) == [city.objectID])
      }
    }
  }

  // Semantics 61, 16
  @Test func `setting an equal value in a child reads nothing in its parent`() throws {
    try child.performAndWait {
      let id = try parent.performAndWait {
        let city = parent.insertCity("Agra")
        try parent.save()
        return city.objectID
      }
      let city = try child.existingObject(with: id)
      city[Atlas.City.name] = "Agra"
      let mine = try parent.performAndWait {
        let object = parent.object(with: id)
        try parent.refresh(object, mergeChanges: false)
        return object
      }
      try child.save()
      parent.performAndWait { #expect(mine.isFault) }
    }
  }

  // Semantics 104
  @Test(arguments: [true, false])
  func `a child's relation to an object deleted by the parent is dropped`(announced: Bool) throws {
    let (id, country, tag) = try parent.performAndWait {
      let city = parent.insertCity("Agra")
      let country = parent.insertCountry("India")
      let tag = parent.insertTag("old")
      try parent.save()
      return (city.objectID, country.objectID, tag.objectID)
    }
    try child.saving {
      let city = try child.existingObject(with: id)
      city[Atlas.City.country] = try child.existingObject(with: country)
      city.add(try child.existingObject(with: tag), to: Atlas.City.tags)
      parent.performAndWait {
        parent.delete(parent.object(with: country))
        parent.delete(parent.object(with: tag))
        if announced { parent.processPendingChanges() }
      }
    }
    try parent.performAndWait {
      try parent.save()
      let city = try parent.existingObject(with: id)
      #expect(city[Atlas.City.country] == nil)
      #expect(city[Atlas.City.tags].isEmpty)
      #expect(try store.coordinator.related(to: id, at: Atlas.City.tags.index).isEmpty)
    }
  }
}

// MARK: - Missing rows and deleted objects

extension StoryFindingsTests {
  // Semantics 56, 92
  @Test func `no fetch finds an object whose row was missing, even if the row is back`() throws {
    let id = try parent.performAndWait {
      let city = parent.insertCity("Agra")
      _ = parent.insertCity("Bern")
      try parent.save()
      parent.delete(city)
      return city.objectID
    }
    let all = FetchRequest(Atlas.city, sortedBy: [Atlas.City.name.ascending])
    try child.performAndWait { () throws in
      let city = child.object(with: id)
      city.fireFault()
      #expect(city.isDeleted)
      parent.performAndWait { parent.rollback() }
      #expect(try child.fetch(all).map { $0[Atlas.City.name] } == ["Bern"])
      #expect(try child.fetchIDs(all).count == 1)
      #expect(try child.count(all) == 1)
      var first = all
      first.limit = 1
      #expect(try child.fetch(first).map { $0[Atlas.City.name] } == ["Bern"])
      #expect(child.deletedObjects == [city])
      child.processPendingChanges()
    }
    // Without references a new object represents the row.
    try child.performAndWait { () throws in
      #expect(try child.fetch(all).map { $0[Atlas.City.name] } == ["Agra", "Bern"])
      #expect(child.deletedObjects.isEmpty)
    }
  }

  // Semantics 79, 82
  @Test func `reverting a deletion after a merge restores the merged row`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      let city = parent.insertCity("Agra")
      try parent.save()
      parent.delete(city)
      parent.processPendingChanges()
      let refreshed = Heard(0)
      _ = parent.observeObjectsDidChange { refreshed.value += $0.refreshed.count }
      let save = try other.saving {
        try other.existingObject(with: city.objectID)[Atlas.City.name] = "Ajmer"
      }
      try parent.mergeChanges(fromContextDidSave: save)
      #expect(city.isDeleted)
      #expect(refreshed.value == 0)
      parent.rollback()
      #expect(city[Atlas.City.name] == "Ajmer")
      // A save's deletion uses the merged row too, so there is no conflict.
      let again = try other.saving {
        try other.existingObject(with: city.objectID)[Atlas.City.name] = "Akola"
      }
      parent.delete(city)
      try parent.mergeChanges(fromContextDidSave: again)
      try parent.save()
    }
  }
}
