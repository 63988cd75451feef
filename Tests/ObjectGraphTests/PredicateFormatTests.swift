import Foundation
import ObjectGraph
import TestSupport
import Testing

private typealias City = Atlas.City
private typealias Country = Atlas.Country
private typealias Tag = Atlas.Tag

private func parsed(
  _ format: String, _ entity: Entity = Atlas.city, _ arguments: (any PredicateArgument)?...
) throws -> FetchPredicate {
  try FetchPredicate(format: format, entity, in: Atlas.model, arguments: arguments)
}

// Semantics 99
@Suite("Predicate formats") struct PredicateFormatTests {
  @Test(
    arguments: [
      ("name == 'Ulm'", City.name == "Ulm"), ("name = \"Ulm\"", City.name == "Ulm"),
      ("'Ulm' == name", City.name == "Ulm"), ("(name) == ('Ulm')", City.name == "Ulm"),
      ("SELF.name == 'a \\'b\\' \\\\ \"'", City.name == "a 'b' \\ \""),
      ("name != nil", .compare(City.name.index, .notEqual, .null)),
      ("motto <> NULL", City.motto != nil), ("size < 3", City.size < 3),
      ("3 < size", City.size > 3),
      ("size =< -3", City.size <= -3), ("size >= 0x10", City.size >= 16),
      ("size => 1e3", City.size >= 1000), ("size < -9223372036854775808", City.size < .min),
      ("height > 2", City.height > 2), ("height <= .5e1", nil),
      ("height <= 0.5e1", City.height <= 5),
      ("isPort == YES", City.isPort == true), ("isPort = false", City.isPort == false),
      ("isPort == 1", City.isPort == true), ("#name like 'U*'", City.name.like("U*")),
      ("size BETWEEN {1, 5}", City.size.isBetween(1...5)),
      ("size in {1, NIL}", City.size.isIn([1, nil])), ("size IN {}", City.size.isIn([])),
      ("size NOT IN {1}", !City.size.isIn([1])), ("NOT size IN {1}", !City.size.isIn([1])),
      ("name IN[c] {'a'}", City.name.isIn(["a"], .caseInsensitive)),
      ("name ==[cd] 'a'", City.name.equals("a", [.caseInsensitive, .diacriticInsensitive])),
      (
        "name beginswith[cd] 'u'",
        City.name.beginsWith("u", [.caseInsensitive, .diacriticInsensitive])
      ),
      ("name ENDSWITH[d] 'm'", City.name.endsWith("m", .diacriticInsensitive)),
      ("name CONTAINS[C] 'l'", City.name.contains("l", .caseInsensitive)),
      ("'l' IN name", City.name.contains("l")), ("name MATCHES 'U.+'", City.name.matches("U.+")),
      ("name == motto", City.name == City.motto), ("size > height", City.size > City.height),
      ("1 == 1", .true), ("'a' IN {'b'}", .false), ("TRUEPREDICATE", .true),
      ("falsepredicate", .false),
    ] as [(String, FetchPredicate?)])
  func `a format equals its typed expression`(format: String, predicate: FetchPredicate?) throws {
    guard let predicate else {
      #expect(throws: PredicateFormatError.self) { try parsed(format) }
      return
    }
    #expect(try parsed(format) == predicate)
  }

  @Test(arguments: [
    ("country.name == 'Chad'", City.country.appending(Country.name) == "Chad"),
    ("SELF.country.capital = nil", City.country.appending(Country.capital) == nil),
    ("ANY tags.name == 'old'", City.tags.any(Tag.name == "old")),
    ("some tags.weight BETWEEN {1, 2}", City.tags.any(Tag.weight.isBetween(1...2))),
    ("ALL tags.weight > 1", City.tags.all(Tag.weight > 1)),
    ("NONE tags.weight IN {1, 2}", City.tags.none(Tag.weight.isIn([1, 2]))),
    ("ANY tags.weight NOT IN {1}", City.tags.any(!Tag.weight.isIn([1]))),
    (
      "ANY tags.parent.name ==[c] 'x'",
      City.tags.any(Tag.parent.appending(Tag.name).equals("x", .caseInsensitive))
    ),
    (
      "ANY country.allies.name == 'x'",
      City.country.appending(Country.allies).any(Country.name == "x")
    ),
    (
      "ANY country.cities.tags.weight == 1",
      City.country.appending(Country.cities).any(City.tags.any(Tag.weight == 1))
    ),
    ("'x' IN tags.name", City.tags.any(Tag.name == "x")),
    ("tags.name CONTAINS 'x'", City.tags.any(Tag.name == "x")),
    ("tags.@count > 3", City.tags.count > 3), ("3 < tags[SIZE]", City.tags.count > 3),
    ("tags.@count == 0", City.tags.none(.true)), ("tags.@count != 0", City.tags.any(.true)),
    ("country.cities.@count == 2", City.country.appending(Country.cities).count == 2),
    (
      "SUBQUERY(tags, $t, $t.weight > 1 AND $t.name == 'x').@count == 2",
      City.tags.count(where: Tag.weight > 1 && Tag.name == "x") == 2
    ),
    (
      "subquery(tags, $t, ANY $t.children.weight > 1).@count > 0",
      City.tags.any(Tag.children.any(Tag.weight > 1))
    ),
  ])
  func `key paths follow relationships`(format: String, predicate: FetchPredicate) throws {
    #expect(try parsed(format) == predicate)
  }

  @Test func `inside SUBQUERY a bare key belongs to the outer object`() throws {
    let predicate = try parsed(
      "SUBQUERY(tags, $t, $t.name == name OR $t.name == SELF.motto).@count > 0")
    let name = PredicatePath(column: Tag.name.index)
    let outer = [City.name.index, City.motto.index].map { PredicatePath(level: 1, column: $0) }
    #expect(
      predicate
        == City.tags.any(
          .or(outer.map { .comparing(.path(name), .equal, .path($0)) })))
    #expect(
      try parsed("ANY tags.name == name")
        == City.tags.any(
          .comparing(.path(name), .equal, .path(outer[0]))))
  }

  @Test func `AND binds closer than OR, NOT closest`() throws {
    let (a, b, c) = (City.size == 1, City.size == 2, City.size == 3)
    #expect(try parsed("size=1 OR size=2 AND size=3") == .or([a, .and([b, c])]))
    #expect(try parsed("(size=1 || size=2) && size=3") == .and([.or([a, b]), c]))
    #expect(try parsed("NOT size=1 AND !size=2") == .and([!a, !b]))
    #expect(try parsed("not (size=1 and size=2 and size=3)") == .not(.and([a, b, c])))
    #expect(try parsed("((size=1))") == a)
  }

  @Test func `placeholders take arguments in order`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 9)
    let id = ManagedObjectID(store: 1, entityIndex: 0, primaryKey: 3)
    #expect(
      try parsed("name BEGINSWITH[c] %@ AND ANY tags.name IN %@", Atlas.city, "A", ["x", "y"])
        == (City.name.beginsWith("A", .caseInsensitive)
          && City.tags.any(Tag.name.isIn(["x", "y"]))))
    // `%d` takes a truth value, as in C.
    #expect(try parsed("isPort == %d", Atlas.city, true) == parsed("isPort == YES", Atlas.city))
    #expect(
      try parsed("%K == %d AND %K > %f", Atlas.city, "size", 5, "height", 1.5)
        == (City.size == 5 && City.height > 1.5))
    #expect(
      try parsed("%K == %@", Atlas.city, "country.name", "x")
        == (City.country.appending(Country.name) == "x"))
    #expect(
      try parsed("founded < %@ AND flag == %@", Atlas.city, date, Data([1]))
        == (City.founded < date && City.flag == Data([1])))
    #expect(
      try parsed("country == %@ OR country IN %@", Atlas.city, id, [id])
        == (City.country == id || City.country.isIn([id])))
    #expect(try parsed("SELF IN %@", Atlas.country, [id]) == .isSelf(in: [id]))
    #expect(try parsed("motto == %@", Atlas.city, nil) == (City.motto == nil))
    #expect(try parsed("size BETWEEN %@", Atlas.city, 1...5) == City.size.isBetween(1...5))
    #expect(try parsed("size == %lld", Atlas.city, Int64.max) == (City.size == .max))
    #expect(try parsed("name == '%@'") == (City.name == "%@"))
  }

  @Test func `variables stand for values, and SUBQUERY's own for its objects`() throws {
    func parsed(_ format: String) throws -> FetchPredicate {
      try FetchPredicate(
        format: format, Atlas.city, in: Atlas.model, arguments: [],
        variables: ["text": "u", "sizes": [1, 2]])
    }
    #expect(try parsed("name BEGINSWITH[c] $text") == City.name.beginsWith("u", .caseInsensitive))
    #expect(try parsed("size IN $sizes") == City.size.isIn([1, 2]))
    #expect(
      try parsed("SUBQUERY(tags, $text, $text.name == 'x').@count > 0")
        == parsed("SUBQUERY(tags, $x, $x.name == 'x').@count > 0"))
    #expect {
      try parsed("name == $txt")
    } throws: {
      "\($0)".contains("unknown variable '$txt'. Known: $sizes, $text")
    }
  }

  @Test func `numbers of different types are compared by value`() throws {
    #expect(try parsed("size == 1.0") == (City.size == 1))
    let half = try parsed("size > 1.5")
    let row = ContiguousArray<Value>(repeating: .null, count: Atlas.city.columns.count)
    for (size, isMore) in [(Int64(1), false), (2, true)] {
      var row = row
      row[City.size.index] = .int64(size)
      #expect(half.matches(row) == isMore)
    }
    #expect(!(try parsed("size == 1.5")).matches(row))
    #expect(try parsed("size != 1.5").matches(row))
  }
}
