import Foundation
import ObjectGraph
import TestSupport
import Testing

private typealias City = Atlas.City

@Suite("Types of attributes") struct AttributeTypeTests {
  private let store: AtlasStore
  private let context: ManagedObjectContext
  private let token = UUID(0x8F14_E45F_CEEA_467F, 1)
  private let site: URL

  init() throws {
    store = try AtlasStore()
    context = store.context()
    site = try #require(URL(string: "https://example.com/é?a=b"))
    try context.performAndWait {
      for (name, fee) in [("a", 0.1), ("b", 0.2), ("c", 19.99), ("d", nil)] as [(String, Decimal?)]
      {
        context.insertCity(name)[City.fee] = fee
      }
      let city = context.insertCity("e")
      (city[City.token], city[City.site]) = (token, site)
      try context.save()
      context.reset()
    }
  }

  private func names(_ predicate: FetchPredicate) throws -> String {
    try context.performAndWait {
      try context.fetch(FetchRequest(Atlas.city, where: predicate, sortedBy: [City.name.ascending]))
        .map { $0[City.name] }.joined()
    }
  }

  private func names(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> String {
    try names(FetchPredicate(format: format, Atlas.city, in: Atlas.model, arguments: arguments))
  }

  // Semantics 56
  @Test func `a required attribute without a value reads as zero or empty`() throws {
    let types = AttributeType.allCases
    let entity = try Entity(
      name: "All", attributes: types.map { AttributeDescription("\($0)", $0) })
    let context = try TestStore(model: Model([entity])).context()
    func read<V: AttributeValue>(_ object: ManagedObject) throws -> V {
      object[try AttributeKey<V>("\(V.attributeType)", of: entity)]
    }
    try context.performAndWait {
      let object = context.insert(entity)
      let (int, double, decimal): (Int64, Double, Decimal) =
        try (read(object), read(object), read(object))
      #expect(int == 0 && double == 0 && decimal == 0)
      let (bool, date, uuid): (Bool, Date, UUID) = try (read(object), read(object), read(object))
      #expect(!bool && date.timeIntervalSinceReferenceDate == 0 && uuid == UUID(0, 0))
      let (text, data, url): (String, Data, URL) = try (read(object), read(object), read(object))
      #expect(text.isEmpty && data.isEmpty && url.absoluteString == "about:invalid")
    }
  }

  @Test func `a fetch returns what was saved`() throws {
    try context.performAndWait {
      let cities = try context.fetch(FetchRequest(Atlas.city, sortedBy: [City.name.ascending]))
      #expect(cities.map { $0[City.fee] } == [0.1, 0.2, Decimal(string: "19.99"), nil, nil])
      #expect(cities[4][City.token] == token && cities[4][City.site] == site)
    }
  }

  @Test func `typed predicates compare them`() throws {
    #expect(try names(City.fee == 19.99) == "c")
    #expect(try names(City.fee.isBetween(0.1...0.2)) == "ab")
    #expect(try names(City.fee < 20 && City.fee != 0.1) == "bc")
    #expect(try names(City.token == token || City.fee.isIn([0.2])) == "be")
    #expect(try names(City.token > UUID(0x8F14_E45F_CEEA_467F, 0)) == "e")
    #expect(try names(City.site == site) == "e")
    #expect(try names(City.fee > City.height) == "")
  }

  @Test func `formats compare them with literals and arguments`() throws {
    let decimal = try #require(Decimal(string: "0.2"))
    #expect(try names("fee == 19.99 OR fee == %@", decimal) == "bc")
    #expect(try names("fee IN {0.1, 1} OR fee > 19") == "ac")
    #expect(try names("token == %@ AND site == %@", token, site) == "e")
    #expect(try names("token IN %@", [token, UUID(0, 0)]) == "e")
    for (format, argument, message) in [
      ("site CONTAINS 'example'", nil, "this operator compares text, not a URI"),
      ("token == %@", "\(token)", "a UUID cannot be compared with text"),
      ("fee == %@", token, "a decimal cannot be compared with a UUID"),
    ] as [(String, (any PredicateArgument)?, String)] {
      let error = #expect(throws: PredicateFormatError.self) { try names(format, argument) }
      #expect(error?.message == message)
    }
  }

  @Test func `sums and averages of decimals are decimals of fifteen digits`() throws {
    let request = DictionaryRequest(
      Atlas.city, [.sum("sum", City.fee), .average("mean", City.fee), .maximum("most", City.fee)],
      where: City.fee < 1)
    let found = try context.performAndWait { try context.fetchDictionaries(request) }
    // As doubles, 0.1 + 0.2 is not 0.3.
    #expect(found == [["sum": .decimal(0.3), "mean": .decimal(0.15), "most": .decimal(0.2)]])
  }

  @Test func `a decimal is validated by its bounds`() throws {
    let price = AttributeDescription(
      "price", .decimal, validation: .init(minimum: .decimal(0.1), maximum: .decimal(9.99)))
    let model = try Model([Entity(name: "Item", attributes: [price])])
    let store = try TestStore(model: model)
    let context = store.context()
    for (value, code) in [(0, 1620), (10, 1610), (9.99, nil)] as [(Decimal, Int?)] {
      let found = try context.performAndWait { () throws -> Int? in
        let item = context.insert(model.entities[0])
        item[0] = .decimal(value)
        defer { context.rollback() }
        do { try context.save() } catch let error as SaveError { return error.code }
        return nil
      }
      #expect(found == code, "\(value)")
    }
  }

  // Semantics, types of attributes: fifteen digits.
  @Test func `the largest decimals keep fifteen digits`() throws {
    try context.performAndWait {
      let city = context.insertCity("z")
      for exponent in 90...127 {
        let decimal = try #require(Decimal(string: "-1200000e\(exponent)"))
        city[City.fee] = decimal
        #expect(city[City.fee] == decimal, "\(exponent)")
      }
      city[City.fee] = .greatestFiniteMagnitude
      let found = try #require(city[City.fee])
      #expect("\(found)" == "340282366920938" + String(repeating: "0", count: 151))
    }
  }
}
