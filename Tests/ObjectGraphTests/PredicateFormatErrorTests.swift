import Foundation
import ObjectGraph
import TestSupport
import Testing

// Semantics 99
@Suite("Malformed predicate formats") struct PredicateFormatErrorTests {
  private func error(
    _ format: String, _ arguments: [(any PredicateArgument)?] = []
  ) throws -> PredicateFormatError? {
    #expect(throws: PredicateFormatError.self) {
      try FetchPredicate(format: format, Atlas.city, in: Atlas.model, arguments: arguments)
    }
  }

  @Test(arguments: [
    ("", 0, "expected a key path or a value, found the end"),
    ("name", 4, "expected an operator such as ==, <=, IN or CONTAINS, found the end"),
    ("name ==", 7, "expected a key path or a value, found the end"),
    ("name == 'x' size", 12, "expected AND, OR or the end, found 'size'"),
    ("name == 'x' AND", 15, "expected a key path or a value, found the end"),
    ("name == 'x' AND OR", 16, "'OR' is a reserved word; expected a key path or a value"),
    ("NOT", 3, "expected a key path or a value, found the end"),
    ("(name == 'x'", 12, "expected ')', found the end"),
    ("name == 'x')", 11, "expected AND, OR or the end, found ')'"),
    ("name is 'x'", 5, "expected an operator such as"),
    ("name NOT 'x'", 9, "expected IN or another operator in words, found ''x''"),
    ("name NOT == 'x'", 9, "expected IN or another operator in words, found '=='"),
    ("name == 'x", 8, "this string has no closing '"),
    ("name == 'a\\qb'", 10, "unknown escape in a string"),
    ("name == 'x' ^ 3", 12, "unexpected '^'"),
    ("size == 12abc", 8, "'12abc' is neither a number nor a name"),
    ("size == 0xZZ", 8, "'0xZZ' is no number that fits in 64 bits"),
    ("size == 1e999", 8, "'1e999' is too large a number"),
    ("size == -name", 9, "expected a number, found 'name'"),
    ("size + 1 == 2", 5, "arithmetic is not supported in a predicate"),
    ("2 == size * 2", 10, "arithmetic is not supported in a predicate"),
    ("size BETWEEN {1, size - 1}", 22, "arithmetic is not supported in a predicate"),
    ("(size ** 2) > 3", 6, "arithmetic is not supported in a predicate"),
    ("lowercase(name) == 'x'", 0, "functions such as 'lowercase' are not supported"),
    ("name == FUNCTION('a', 'b')", 8, "functions such as 'FUNCTION' are not supported"),
    ("CAST(size, 'NSString') == '1'", 0, "functions such as 'CAST' are not supported"),
    ("TERNARY(size > 1, 1, 2) == 1", 0, "functions such as 'TERNARY' are not supported"),
    ("tags.@sum.weight > 1", 5, "unknown function '@sum'; known: @count"),
    ("name ==[cdn] 'a'", 8, "unknown option 'n'; known: [c], [d] and [cd]"),
    ("name ==[l] 'a'", 8, "unknown option 'l'; known: [c], [d] and [cd]"),
    ("tags[0].name == 'x'", 5, "expected SIZE; objects have no order to index them by"),
    ("tags[FIRST].name == 'x'", 5, "expected SIZE; objects have no order to index them by"),
    ("name ==[x] 'a'", 8, "unknown option 'x'; known: [c], [d] and [cd]"),
    ("name ==[] 'a'", 8, "expected [c], [d] or [cd], found ']'"),
    ("name ==[c 'a'", 10, "expected ']', found ''a''"),
    ("size ==[c] 1", 0, "this operator with options compares text, not an integer"),
    ("nam == 'x'", 0, "'City' has no property 'nam'. Did you mean 'name'? Known: name, size,"),
    ("country.nme == 'x'", 8, "'Country' has no property 'nme'. Did you mean 'name'?"),
    ("zzz == 1", 0, "'City' has no property 'zzz'. Known:"),
    ("name.length == 1", 5, "'length' cannot follow an attribute"),
    ("country. == 1", 9, "expected a key, found '=='"),
    ("size == name", 8, "an integer cannot be compared with text"),
    ("founded > 5", 10, "a date cannot be compared with an integer"),
    ("country == 'x'", 11, "an object cannot be compared with text"),
    ("country == capitalOf.capital", 11, "an object cannot be compared with an object"),
    ("country < capitalOf", 8, "objects have no order; compare them with ==, != or IN"),
    ("name == {1}", 8, "a list can only stand after IN or BETWEEN"),
    ("size BETWEEN {1}", 13, "BETWEEN takes a list of two values"),
    ("size BETWEEN 1", 13, "BETWEEN takes a list of two values"),
    ("size IN 3", 8, "IN takes a list, a to-many key path or text"),
    ("size IN {1, 'x'}", 12, "an integer cannot be compared with text"),
    ("size IN {1 2}", 11, "expected ',' or '}', found '2'"),
    ("size IN {1, 2", 13, "expected ',' or '}', found the end"),
    ("size BEGINSWITH 'x'", 0, "this operator compares text, not an integer"),
    ("name LIKE 3", 10, "this operator compares text, not an integer"),
    ("name MATCHES '['", 13, "'[' is no regular expression"),
    ("tags.name == 'x'", 0, "a to-many key path has no single value; use ANY, ALL, NONE or @count"),
    ("name == tags.name", 8, "a to-many key path has no single value"),
    ("ANY name == 'x'", 0, "ANY needs a key path over a to-many relationship"),
    ("ALL country.name == 'x'", 0, "ALL needs a key path over a to-many relationship"),
    ("ANY == 1", 4, "expected a key path or a value, found '=='"),
    ("tags.@sum == 1", 5, "unknown function '@sum'; known: @count"),
    ("country.@count == 1", 8, "only the objects of a to-many relationship can be counted"),
    (
      "country.cities.tags.@count == 1", 20,
      "objects are counted over one to-many relationship only"
    ),
    ("tags[FIRST] == 1", 5, "expected SIZE; objects have no order to index them by, found 'FIRST'"),
    ("tags[SIZE == 1", 10, "expected ']', found '=='"),
    ("$x.name == 'x'", 0, "unknown variable '$x'; SUBQUERY makes variables"),
    ("SUBQUERY tags", 9, "expected '(', found 'tags'"),
    ("SUBQUERY(name, $x, $x.name == '').@count > 0", 9, "SUBQUERY needs a to-many relationship"),
    ("SUBQUERY(tags $x)", 14, "expected ',', found '$x'"),
    ("SUBQUERY(tags, x, TRUEPREDICATE)", 15, "expected a variable like $x, found 'x'"),
    ("SUBQUERY(tags, $x, $y.name == '')", 19, "unknown variable '$y'. Known: $x"),
    ("SUBQUERY(tags, $x, $x.size == 1)", 22, "'Tag' has no property 'size'"),
    ("SUBQUERY(tags, $x, $x.weight == 1) > 0", 35, "expected .@count, found '>'"),
    ("SUBQUERY(tags, $x, $x.weight == 1).name > 0", 35, "expected .@count, found 'name'"),
    ("@count > 0", 0, "expected a key path or a value, found '@count'"),
    ("$ == 1", 1, "expected the name of a variable"),
    ("name == 1 # 2", 11, "expected the name of a key"),
  ])
  func `a mistake is shown at its place`(format: String, position: Int, message: String) throws {
    let error = try #require(try error(format))
    #expect(error.position == position, "\(error)")
    #expect(error.message.hasPrefix(message), "\(error)")
  }

  @Test func `unlimited nesting is refused, and a hundred levels are parsed`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "size == 1" + String(repeating: ")", count: count)
    }
    let read = try FetchPredicate(format: nested(90), Atlas.city, in: Atlas.model)
    #expect(read == (Atlas.City.size == 1))
    let error = try #require(try error(nested(5000)))
    #expect(error.message == "more than 100 brackets are open")
    let negated = String(repeating: "NOT ", count: 5000) + "size == 1"
    #expect(try #require(try self.error(negated)).message == "more than 100 NOTs stand here")
  }

  @Test func `the caret points at the mistake in its line`() throws {
    let error = try #require(try error("name == 'Ulm'\n  AND é == 3"))
    #expect(
      error.description.hasSuffix(", at character 21:\n    AND é == 3\n        ^"), "\(error)")
  }

  @Test(
    arguments: [
      ("size == %@", [], 8, "there is no argument for placeholder 1; 0 given"),
      ("size == %@ AND size == %@", [1], 23, "there is no argument for placeholder 2; 1 given"),
      ("size == %@", [1, 2], 10, "2 arguments were given for 1 placeholders"),
      ("size == %d", ["x"], 8, "argument 1 is text, but %d takes an integer"),
      ("size == %d", [1.5], 8, "argument 1 is a number, but %d takes an integer"),
      ("height == %f", [1], 10, "argument 1 is an integer, but %f takes a double"),
      ("%K == 1", [1], 0, "argument 1 is an integer, but %K takes a key path"),
      ("%K == 1", ["nope"], 0, "'City' has no property 'nope'"),
      ("size == %@", ["x"], 8, "an integer cannot be compared with text"),
      ("size IN %@", [["x"]], 8, "an integer cannot be compared with text"),
      ("size IN %@", [3], 8, "IN takes a list, a to-many key path or text"),
      ("size == %s", ["x"], 8, "unknown placeholder '%s'; known: %@, %K, %d, %f"),
      ("size == %d", [[1]], 8, "argument 1 is a list, but %d takes an integer"),
      ("size == %", [1], 8, "unknown placeholder '%'"),
    ] as [(String, [any PredicateArgument & Sendable], Int, String)])
  func `arguments must match the format in number and type`(
    format: String, arguments: [any PredicateArgument & Sendable], position: Int, message: String
  ) throws {
    let error = try #require(try error(format, arguments.map { $0 }))
    #expect(error.position == position, "\(error)")
    #expect(error.message.hasPrefix(message), "\(error)")
  }
}
