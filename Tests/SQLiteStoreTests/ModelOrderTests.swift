import ObjectGraph
import SQLiteStore
import Testing

// Core Data compares the entities' hashes by name: "entityVersionHashesByName",
// developer.apple.com/documentation/coredata/nsmanagedobjectmodel

@Suite("The order of a model's parts") struct ModelOrderTests {
  private static let name = AttributeDescription("name", .string)
  private static let size = AttributeDescription("size", .int64)

  private func model(reversed: Bool) throws -> Model {
    let city = try Entity(
      name: "City", attributes: reversed ? [Self.size, Self.name] : [Self.name, Self.size],
      relationships: [.toOne("country", "Country", inverse: "cities")])
    let country = try Entity(
      name: "Country", attributes: [Self.name],
      relationships: [.toMany("cities", "City", inverse: "country")])
    return try Model(reversed ? [country, city] : [city, country])
  }

  @Test(arguments: StoreMode.allCases)
  func `a store opens with its entities and attributes in another order`(mode: StoreMode) throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration(url: folder.file("a store.sqlite"), mode: mode)
    for isReversed in [false, true, true, false] {
      let model = try model(reversed: isReversed)
      let coordinator = try SQLiteCoordinator(configuration, model: model)
      let context = coordinator.context()
      try context.performAndWait {
        let city = try #require(model.entity(named: "City"))
        let country = try #require(model.entity(named: "Country"))
        let (name, size) = (
          try AttributeKey<String>("name", of: city), try AttributeKey<Int64>("size", of: city)
        )
        let place = try ToOneKey("country", of: city)
        if try context.count(FetchRequest(city)) == 0 {
          let ulm = context.insert(city)
          (ulm[name], ulm[size]) = ("Ulm", 7)
          ulm[place] = context.insert(country)
          ulm[place]?[0] = .string("Germany")
          try context.save()
        }
        let ulm = try #require(try context.fetch(FetchRequest(city)).first)
        #expect(ulm[name] == "Ulm" && ulm[size] == 7)
        #expect(ulm[place]?[0] == .string("Germany"))
      }
      try coordinator.close()
    }
  }

  // A migration would take City for a new entity, and drop its rows.
  @Test func `a store whose identifiers differ too is not migrated silently`() throws {
    let folder = try TemporaryFolder()
    let configuration = StoreConfiguration(url: folder.file("a store.sqlite"), mode: .pool)
    func model(_ identifier: String?, _ attributes: [AttributeDescription]) throws -> Model {
      try Model([Entity(name: "City", attributes: attributes, renamingIdentifier: identifier)])
    }
    try SQLiteCoordinator(configuration, model: model("Town", [Self.name, Self.size])).close()
    #expect(throws: StoreError.self) {
      try SQLiteCoordinator(configuration, model: model(nil, [Self.size, Self.name]))
    }
  }
}
