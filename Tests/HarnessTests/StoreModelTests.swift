import Foundation
import Measurement
import ObjectGraph
import Queues
import SQLiteStore
import Support
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

@Suite(.timeLimit(.minutes(1)))
struct StoreModelTests {
  private static let model = """
    model:
      Place:
        abstract: true
        attributes:
          name: string
          founded: { type: date?, default: 2001-01-02 }
        relationships:
          country: { to_one: Country, inverse: places }
      City:
        parent: Place
        attributes:
          mayor: { type: string?, indexed: true, maximum_length: 10 }
        unique: [[name, country]]
      Harbour:
        parent: City
        attributes: { depth: double? }
      Country:
        attributes: { code: string }
        relationships:
          places: { to_many: Place, inverse: country, delete_rule: cascade, maximum_count: 3 }
    """

  private let folder = TemporaryFolder()

  private func file(_ model: String = model) throws -> String {
    try "id,size,name\n1,1.5,Aar\n2,2.5,Bern\n3,3.5,Chur\n"
      .write(to: folder.url.appending(path: "before.csv"), atomically: true, encoding: .utf8)
    try "id,size,name\n1,1.5,Aarau\n3,3.0,Chur\n4,4.5,Davos\n5,5.5,Elm\n"
      .write(to: folder.url.appending(path: "after.csv"), atomically: true, encoding: .utf8)
    let yaml = """
      name: related
      asks: Does it work?
      entity:
        name: City
        key: id
        attributes: { size: double, id: int64, name: string }
      data: { before: before.csv, after: after.csv }
      list: { sort: [-name] }
      changes: { per_save: 2 }
      repeat_for_ms: 0
      """
    let file = folder.url.appending(path: "related.yaml")
    try "\(yaml)\n\(model)\n".write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  private func scenario(_ model: String = model) throws -> Scenario {
    try #require(try Scenario.load(file: try file(model)).first)
  }

  @Test func `the store's model has the file's entities and relationships`() throws {
    let model = try StoreModel(try scenario()).model
    #expect(model.entities.map(\.name) == ["Place", "Country", "City", "Harbour"])
    let city = try #require(model.entity(named: "City"))
    let place = try #require(model.entity(named: "Place"))
    let country = try #require(model.entity(named: "Country"))
    #expect(city.parent === place && place.isAbstract && !city.isAbstract)
    #expect(city.columns.map(\.name) == ["name", "founded", "country", "size", "id", "mayor"])
    #expect(city.attributes.filter(\.isIndexed).map(\.name) == ["id", "mayor"])
    #expect(city.attributes.last?.validation.maximumLength == 10)
    #expect(city.uniquenessConstraints == [["name", "country"]])

    let places = model.resolved(country).toMany[0]
    #expect(places.description.deleteRule == .cascade && places.description.maximumCount == 3)
    #expect(places.destination == model.index(of: place))
    #expect(places.inverse == .toOne(column: 2))
    let toCountry = try #require(model.resolved(city).toOne[2])
    #expect(toCountry.destination == model.index(of: country))
    #expect(toCountry.inverse == .toMany(0))
  }

  @Test func `related objects are saved and read back`() throws {
    let model = try StoreModel(try scenario()).model
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: folder.url.appending(path: "store.sqlite"), mode: .pool),
      model: model)
    defer { try? coordinator.close() }
    func context() -> ManagedObjectContext {
      ManagedObjectContext(
        name: "context", queue: PrivateQueue(label: "context"), parent: .coordinator(coordinator))
    }
    let harbour = try #require(model.entity(named: "Harbour"))
    let country = try #require(model.entity(named: "Country"))
    let name = try AttributeKey<String>("name", of: harbour)
    let founded = try AttributeKey<Date?>("founded", of: harbour)
    let places = try ToManyKey("places", of: country)
    let home = try ToOneKey("country", of: harbour)
    let writer = context()
    try writer.performAndWait {
      let peru = writer.insert(country)
      peru[try AttributeKey<String>("code", of: country)] = "PE"
      for port in ["Callao", "Ilo"] {
        let object = writer.insert(harbour)
        object[name] = port
        object[try AttributeKey<Int64>("id", of: harbour)] = port == "Ilo" ? 2 : 1
        object[try AttributeKey<Double>("size", of: harbour)] = 1
        object[home] = peru
      }
      try writer.save()
    }
    let reader = context()
    try reader.performAndWait {
      let peru = try #require(try reader.fetch(FetchRequest(country)).first)
      #expect(Set(peru[places].map { $0[name] }) == ["Callao", "Ilo"])
      let place = try #require(model.entity(named: "Place"))
      let found = try reader.fetch(FetchRequest(place, sortedBy: [name.ascending]))
      #expect(found.map { $0.entity.name } == ["Harbour", "Harbour"])
      #expect(
        found.map { $0[founded] }
          == Array(repeating: Date(timeIntervalSinceReferenceDate: 86_400), count: 2))
      #expect(found.first?[home] === peru)
      reader.delete(peru)
      try reader.save()
      #expect(try reader.count(FetchRequest(place)) == 0)
    }
  }

  @Test(arguments: Topologies.builtIn)
  func `a cell ends with the right rows`(topology: TopologyDescriptor) async throws {
    let result = try await CellRunner.run(topology, of: file(), in: folder).result
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(try #require(result.metrics["raw_sqlite_ms"]) > 0)
  }

  @Test(arguments: [
    (
      "model:\n  Lake:\n    attributes: { depth: double }\n    relationships:\n      at: { to_one: Town }",
      ":15: field 'model.Lake.relationships.at': 'Lake.at' leads to 'Town', which is not in the "
        + "model; add it"
    ),
    (
      "model:\n  City:\n    relationships:\n      twin: { to_one: City, inverse: sister }",
      ":14: field 'model.City.relationships.twin': the inverse 'sister' of 'City.twin' does not "
        + "exist or does not lead back; make each the inverse of the other"
    ),
    (
      "model:\n  City: { unique: [mayor] }",
      ":12: field 'model.City.unique': a uniqueness constraint of 'City' names 'mayor', which is no "
        + "attribute or to-one relationship of it"
    ),
    (
      "model:\n  City:\n    attributes:\n      name: { type: string, pattern: \"(\" }",
      ":14: field 'model.City.attributes.name.pattern': the pattern '(' of 'City.name' is no regular "
        + "expression; correct it"
    ),
    (
      "model:\n  Lake: {}",
      ":12: field 'model.Lake': entity 'Lake' has 0 attributes and to-one relationships; it may have "
        + "1 to 64"
    ),
  ])
  func `entities that make no valid model are an error of the file`(
    model: String, message: String
  ) throws {
    let scenario = try scenario(model)
    let error = #expect(throws: InputError.self) { _ = try StoreModel(scenario) }
    #expect(error?.description == scenario.file + message)
  }
}
