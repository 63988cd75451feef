import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

extension StoryFindingsTests {
  // Semantics 67: seed 2099723 of the random stories
  @Test(arguments: MergePolicy.allCases, [true, false])
  func `a relation to an object that was rolled back is not saved`(
    policy: MergePolicy, isHeld: Bool
  ) throws {
    let id = parent.performAndWait {
      parent.mergePolicy = policy
      return parent.insertCountry("India").objectID
    }
    let city = try child.performAndWait {
      let country = try child.existingObject(with: id)
      let city = child.insertCity("Agra", in: country)
      parent.performAndWait { parent.rollback() }
      try child.refresh(country, mergeChanges: false)
      try child.save()
      return city.objectID
    }
    try parent.performAndWait {
      let country = isHeld ? try parent.existingObject(with: city)[Atlas.City.country] : nil
      #expect(country?.isFault == (isHeld ? true : nil))
      if policy == .error {
        #expect(throws: SaveError.self) { try parent.save() }
        #expect(parent.insertedObjects.map(\.objectID) == [city])
      } else {
        try parent.save()
        #expect(try parent.existingObject(with: city)[Atlas.City.country] == nil)
      }
      withExtendedLifetime(country) {}
    }
  }

  // Semantics 73: seed 2009967 of the random stories
  @Test func `an edit after a dropped deletion is saved`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      parent.mergePolicy = .rollback
      let country = parent.insertCountry("India")
      let tag = parent.insertTag("old")
      try parent.save()
      try other.saving { try other.existingObject(with: tag.objectID)[Atlas.Tag.weight] = 2 }
      parent.delete(tag)
      // The save writes the country too: as many objects as were changed.
      _ = parent.insertCity("Agra", in: country)
      try parent.refresh(country, mergeChanges: false)
      try parent.save()
      tag[Atlas.Tag.name] = "new"
      #expect(parent.updatedObjects == [tag])
      try parent.save()
    }
    try other.performAndWait {
      let tag = try #require(try other.fetch(FetchRequest(Atlas.tag)).first)
      try other.refresh(tag, mergeChanges: true)
      #expect(tag[Atlas.Tag.name] == "new" && tag[Atlas.Tag.weight] == 2)
    }
  }

  // Semantics 71
  @Test func `an object that stays deleted is not announced after the save`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      parent.mergePolicy = .objectTrump
      let city = parent.insertCity("Agra")
      try parent.save()
      try other.saving { try other.existingObject(with: city.objectID)[Atlas.City.name] = "Ajmer" }
      parent.delete(city)
      try parent.save()
      let told = Heard<[ManagedObject]>([])
      _ = parent.observeObjectsDidChange { told.value += $0.refreshed }
      parent.processPendingChanges()
      #expect(told.value.isEmpty)
    }
  }

  // Semantics 71, 72, 82: seeds 2034789 and 2042229 of the random stories
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `a policy that keeps both ends of a relation refreshes only objects in conflict`(
    policy: MergePolicy
  ) throws {
    let other = store.context("other")
    try parent.performAndWait {
      parent.mergePolicy = policy
      let country = parent.insertCountry("India")
      let (agra, delhi) = (parent.insertCity("Agra"), parent.insertCity("Delhi"))
      country[Atlas.Country.capital] = agra
      try parent.save()
      country[Atlas.Country.capital] = delhi
      try other.saving {
        let delhi = try other.existingObject(with: delhi.objectID)
        try other.existingObject(with: country.objectID)[Atlas.Country.capital] = delhi
      }
      try parent.refresh(delhi, mergeChanges: true)
      parent.processPendingChanges()
      let refreshed = Heard<Set<ManagedObject>>([])
      _ = parent.observeObjectsDidChange { refreshed.value.formUnion($0.refreshed) }
      try parent.save()
      #expect(refreshed.value == [country, agra])
      #expect(country[Atlas.Country.capital] === delhi)
    }
  }

  // Semantics 71, 74
  @Test func `a row inserted again has only the pairs made since`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      parent.mergePolicy = .objectTrump
      let city = parent.insertCity("Agra", tags: [parent.insertTag("old")])
      try parent.save()
      #expect(city[Atlas.City.tags].count == 1)
      try other.saving { other.delete(try other.existingObject(with: city.objectID)) }
      city[Atlas.City.name] = "Ajmer"
      let new = parent.insertTag("new")
      city.add(new, to: Atlas.City.tags)
      try parent.save()
      #expect(city[Atlas.City.tags] == [new])
      let stored = try store.coordinator.related(to: city.objectID, at: Atlas.City.tags.index)
      #expect(stored == [new.objectID])
    }
  }

  // Semantics 71, 104: seed 2061033 of the random stories
  @Test func `a row inserted again has no relation to an object deleted here`() throws {
    let other = store.context("other")
    try parent.performAndWait {
      parent.mergePolicy = .objectTrump
      let country = parent.insertCountry("India")
      let city = parent.insertCity("Agra", in: country)
      try parent.save()
      try parent.refresh(country, mergeChanges: true)
      try other.saving {
        for id in [city.objectID, country.objectID] {
          other.delete(try other.existingObject(with: id))
        }
      }
      parent.delete(country)
      // The save compares the version of the city, which it does not write.
      country[Atlas.Country.capital] = city
      try parent.save()
      #expect(city[Atlas.City.country] == nil)
      #expect(try parent.fetch(FetchRequest(Atlas.city)) == [city])
    }
  }

  // Semantics 71
  @Test func `an edit of an object that the parent lost follows the row inserted again`() throws {
    parent.performAndWait { parent.mergePolicy = .objectTrump }
    let city = try child.performAndWait {
      let city = child.insertCity("Agra")
      try child.save()
      city[Atlas.City.name] = "Ajmer"
      return city
    }
    try parent.saving { parent.delete(try parent.existingObject(with: city.objectID)) }
    try child.performAndWait { try child.save() }
    try parent.performAndWait { try parent.save() }
    try child.performAndWait {
      let cities = try child.fetch(FetchRequest(Atlas.city))
      #expect(cities == [city] && !city.objectID.isTemporary)
    }
  }
}
