import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// The small scenario with a model behind it: line 18 is `model:`.
struct ScenarioModelTests {
  static let model = """
    model:
      City:
        parent: Place
        attributes:
          name: { type: string, maximum_length: 40, pattern: "[A-Z].*" }
          mood: { type: string?, transient: true }
        relationships:
          country: { to_one: Country, inverse: cities, delete_rule: no-action }
        unique: [name, [name, country]]
      Place:
        abstract: true
        attributes:
          region: { type: string?, indexed: true, default: X, minimum_length: 1 }
          height: { type: double, default: 0, minimum: -500, maximum: 9000.5 }
          seen: { type: date?, minimum: 2001-01-02 }
      Country:
        attributes: { code: int64 }
        relationships:
          cities:
            to_many: City
            inverse: country
            optional: false
            delete_rule: cascade
            minimum_count: 1
            maximum_count: 9
    """

  static func scenario(_ model: String = model) throws -> Scenario {
    try Small.scenario(yaml: Small.yaml + "\n" + model)
  }

  @Test func `a scenario without a model has the entity of its rows`() throws {
    let model = try Small.scenario().model
    #expect(model.entities.map(\.name) == ["City"])
    #expect(model.entities[0].attributes.map(\.typeName) == Small.entity.attributes.map(\.typeName))
    #expect(model.entities[0].attributes.map(\.isIndexed) == [true, false, false, false])
  }

  @Test func `entities are decoded as written, parents first`() throws {
    let entities = try Self.scenario().model.entities
    #expect(entities.map(\.name) == ["Place", "Country", "City"])
    let (place, country, city) = (entities[0], entities[1], entities[2])
    #expect(place.isAbstract && !city.isAbstract)
    #expect(city.parent == "Place" && country.parent == nil)
    #expect(place.attributes.map(\.typeName) == ["string?", "double", "date?"])
    #expect(place.attributes.map(\.isIndexed) == [true, false, false])
    #expect(place.attributes.map(\.defaultValue) == [.string("X"), .double(0), .null])
    #expect(
      place.attributes.map(\.validation.minimum)
        == [nil, .double(-500), .date(secondsSince2001: 86_400)])
    #expect(place.attributes.map(\.validation.maximum) == [nil, .double(9000.5), nil])
    #expect(place.attributes[0].validation.minimumLength == 1)
    #expect(city.attributes.map(\.name) == ["id", "name", "size", "mood"])
    #expect(city.attributes.map(\.isIndexed) == [true, false, false, false])
    #expect(city.attributes.map(\.isTransient) == [false, false, false, true])
    #expect(city.attributes[1].validation.maximumLength == 40)
    #expect(city.attributes[1].validation.pattern == "[A-Z].*")
    #expect(city.uniquenessConstraints == [["name"], ["name", "country"]])
  }

  @Test func `an inherited key has its index in the declaring entity`() throws {
    let entities = try Self.scenario(
      "model: { Row: { attributes: { id: int64 } }, City: { parent: Row } }"
    ).model.entities
    #expect(entities.map { $0.attributes.map(\.isIndexed) } == [[true], [false, false, false]])
  }

  @Test func `the documentation's model is valid`() throws {
    let readme = try String(contentsOfFile: "\(Shipped.folder)/README.md", encoding: .utf8)
    let section = try #require(readme.split(separator: "```yaml\nmodel:").last)
    let block = try #require(section.split(separator: "```").first)
    #expect(try Self.scenario("model:\(block)").model.entities.count == 3)
  }

  @Test func `relationships are described from both sides`() throws {
    let entities = try Self.scenario().model.entities
    let (cities, country) = (entities[1].relationships[0], entities[2].relationships[0])
    #expect(country.destination == "Country" && !country.isToMany && country.inverse == "cities")
    #expect(country.isOptional && country.deleteRule == .noAction)
    #expect(cities.destination == "City" && cities.isToMany && cities.inverse == "country")
    #expect(!cities.isOptional && cities.deleteRule == .cascade)
    #expect(cities.minimumCount == 1 && cities.maximumCount == 9)
  }

  @Test func `the model counts in the digest, however it is written`() throws {
    func digest(_ model: String) throws -> String {
      try Small.workload(yaml: Small.yaml + "\n" + model).digest
    }
    let plain = try digest("model: { Country: { attributes: { code: int64 } } }")
    #expect(try digest("") != plain)
    #expect(
      try digest(
        "model: { Country: { abstract: false, attributes: { code: { type: int64 } } } }") == plain)
    #expect(try digest("model: { Country: { attributes: { code: int64? } } }") != plain)
    #expect(try digest("model: {}") == Small.workload().digest)
  }

  @Test func `the model is a parameter like others, in its order`() throws {
    let scenario = try Self.scenario(
      "model: { B: { attributes: { x: { type: date?, default: 2001-01-01 } } }, A: { parent: B } }")
    let value = try #require(scenario.fields.first { $0.path == "model" }?.value.json)
    #expect(
      value
        == #"{"B":{"attributes":{"x":{"type":"date?","default":"date(0.0)"}}},"A":{"parent":"B"}}"#)
  }

  @Test(arguments: [
    (
      "model: [a]",
      ":18: field 'model': a list is of the wrong type; must be a mapping of entities, such as `City: { … }`"
    ),
    (
      "model:\n  1x: {}",
      ":19: field 'model.1x': '1x' is not a name; use letters, digits and '_'"
    ),
    (
      "model:\n  Country:\n    atributes: {}",
      ":20: field 'model.Country.atributes': unknown field. Did you mean 'attributes'? Allowed in "
        + "'model.Country': parent, abstract, attributes, relationships, unique"
    ),
    (
      "model:\n  A: { abstract: yes please }",
      ":19: field 'model.A.abstract': 'yes please' is of the wrong type; must be true | false"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: text",
      ":21: field 'model.A.attributes.x': unknown type 'text'. Types: int64, double, bool, string, "
        + "date, data, decimal, uuid, uri; with '?' for an optional one"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: { indexed: true }",
      ":21: field 'model.A.attributes.x': 'type' is missing. Types: int64, double, bool, string, "
        + "date, data, decimal, uuid, uri; with '?' for an optional one"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: { type: int64, default: \"5\" }",
      ":21: field 'model.A.attributes.x.default': must be a whole number from "
        + "-9223372036854775808 to 9223372036854775807, without + or leading zeros"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: { type: int64, pattern: a }",
      ":21: field 'model.A.attributes.x.pattern': is for a string, not int64"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: { type: bool, minimum: 1 }",
      ":21: field 'model.A.attributes.x.minimum': is for a number or a date, not bool"
    ),
    (
      "model:\n  A:\n    attributes:\n      x: { type: int64, minimum: 2, maximum: 1 }",
      ":21: field 'model.A.attributes.x': its minimum is above its maximum"
    ),
    (
      "model:\n  A:\n    relationships:\n      r: { inverse: s }",
      ":21: field 'model.A.relationships.r': needs 'to_one' or 'to_many', and not both"
    ),
    (
      "model:\n  A:\n    relationships:\n      r: { to_many: City }",
      ":21: field 'model.A.relationships.r': a relationship to many needs an 'inverse': the "
        + "relationship that leads back"
    ),
    (
      "model:\n  A:\n    relationships:\n      r: { to_one: City, delete_rule: nulify }",
      ":21: field 'model.A.relationships.r.delete_rule': unknown value 'nulify'. Did you mean "
        + "'nullify'? Allowed: nullify | cascade | deny | no-action"
    ),
    (
      "model:\n  A:\n    relationships:\n      r: { to_one: City, maximum_count: 2 }",
      ":21: field 'model.A.relationships.r.maximum_count': is for a relationship to many"
    ),
    (
      "model:\n  A: { unique: name }",
      ":19: field 'model.A.unique': 'name' is of the wrong type; must be a list of names, or of lists of names"
    ),
  ])
  func `an error in a description names its place`(model: String, message: String) throws {
    try Self.check(model, message)
  }

  @Test(arguments: [
    (
      "model:\n  A: { parent: Citty }",
      ":19: field 'model.A.parent': unknown entity 'Citty'. Did you mean 'City'? Known: A, City"
    ),
    (
      "model:\n  A: { parent: B }\n  B: { parent: A }",
      ":19: field 'model.A.parent': 'A' inherits from itself; remove one parent"
    ),
    (
      "model:\n  City: {}\n  CITY: {}",
      ":20: field 'model.CITY': there is another entity of this name; case makes no difference to "
        + "SQLite"
    ),
    (
      "model:\n  A: { attributes: { x: int64 } }\n  B:\n    parent: A\n    attributes:\n      X: int64",
      ":23: field 'model.B.attributes.X': 'X' occurs twice in 'B' or what it inherits from; case "
        + "makes no difference to SQLite"
    ),
    (
      "model:\n  City:\n    attributes:\n      name: string?",
      ":21: field 'model.City.attributes.name': is string?, but string in entity.attributes; make "
        + "them equal"
    ),
    (
      "model:\n  City:\n    attributes:\n      name: { type: string, transient: true }",
      ":21: field 'model.City.attributes.name': is a column of the data files; a transient "
        + "attribute is not stored"
    ),
    (
      "model:\n  City:\n    attributes:\n      mayor: string",
      ":21: field 'model.City.attributes.mayor': the data files have no such column; make it "
        + "optional or give a default"
    ),
    (
      "model:\n  City: { abstract: true }",
      ":19: field 'model.City.abstract': the rows of the data files are of 'City'; an abstract "
        + "entity has none"
    ),
    (
      "model:\n  City:\n    relationships:\n      twin: { to_one: City, optional: false }",
      ":21: field 'model.City.relationships.twin': the rows of the data files are related to "
        + "nothing; make it optional"
    ),
    (
      "model:\n  Place: { attributes: { x: int64? } }\n  City: { parent: Place }\n  Lake:\n"
        + "    parent: Place\n    attributes:\n      size: double",
      ":24: field 'model.Lake.attributes.size': the rows of the data files share a table with 'Lake' "
        + "and have a column of this name; rename it"
    ),
  ])
  func `descriptions that do not fit together are an error`(model: String, message: String) throws {
    try Self.check(model, message)
  }

  @Test func `--set cannot change the model`() throws {
    let (error, _) = try Small.error(replacing: "asks", with: "asks", set: ["model={}"])
    #expect(
      error?.description
        == "--set model={}: 'model' describes the data; state it in the scenario file itself")
  }

  private static func check(_ model: String, _ message: String) throws {
    let (error, file) = try Small.error(
      replacing: "  sort: [name]", with: "  sort: [name]\n" + model)
    #expect(error?.description == file + message)
  }
}
