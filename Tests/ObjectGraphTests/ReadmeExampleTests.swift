import ObjectGraph
import Testing

@Suite("The README's example")
struct ReadmeExampleTests {
  @Test func `the example makes a model and a predicate`() throws {
    let country = try Entity(
      name: "Country", attributes: [AttributeDescription("name", .string)],
      relationships: [.toMany("cities", "City", inverse: "country", deleteRule: .cascade)])
    let city = try Entity(
      name: "City",
      attributes: [
        AttributeDescription("name", .string), AttributeDescription("population", .int64),
      ],
      relationships: [.toOne("country", "Country", inverse: "cities")])
    let model = try Model([country, city])
    let large = try FetchPredicate(
      format: "population > %d AND country.name BEGINSWITH[cd] %@", city, in: model, 1_000_000,
      "fr")
    #expect(large != .true)
    #expect(model.entities.map(\.name) == ["Country", "City"])
  }
}
