import DataModel
import Support
import Foundation
import Testing

@testable import Workload

struct DataSetTests {
  static func read(_ text: String, _ entity: RowDescription = Small.entity) throws -> DataSet {
    try DataSet(Array(text.utf8), file: "c.csv", entity: entity)
  }

  static func message(_ text: String, _ entity: RowDescription = Small.entity) -> String? {
    #expect(throws: InputError.self) { try read(text, entity) }?.description
  }

  @Test func `rows come in the file's order, columns in the entity's`() throws {
    let data = try Self.read("size,region,id,name\n1,,2,B\n-2.5e1,r,1,\n")
    #expect(
      data.rows == [
        [.int64(2), .string("B"), .null, .double(1)],
        [.int64(1), .string(""), .string("r"), .double(-25)],
      ])
    #expect(data[.int64(1)] == data.rows[1])
    #expect(data[.int64(3)] == nil)
  }

  @Test func `a header alone is a data set without rows`() throws {
    #expect(try Self.read("id,name,region,size\n").rows.isEmpty)
  }

  @Test(arguments: [
    ("", "c.csv:1: the file is empty; the first line names the columns"),
    (
      "id,nmae,region,size\n",
      "c.csv:1: column 'name' is missing; City has it as an attribute. Not used: 'nmae'."
        + " If it has another name, write under 'data': columns: {\"nmae\":\"name\"}"
    ),
    ("id,name,size\n", "c.csv:1: column 'region' is missing; City has it as an attribute."),
    (
      "id,name,region,size,name\n", "c.csv:1: column 'name' occurs twice; rename one of them"
    ),
    (
      "id,name,region,size\n1,a,,2\n2,b,3\n", "c.csv:3: 3 fields, but the header has 4 columns"
    ),
    ("id,name,region,size\n1,a,,2,\n", "c.csv:2: 5 fields, but the header has 4 columns"),
    ("id,name,region,size\n1,a,,2\n\n", "c.csv:3: the line is blank; remove it"),
    (
      "id,name,region,size\n1,a\0b,,2\n",
      "c.csv:2: field 'name': 'a\0b' is no string; allowed: any text without U+0000."
        + " Remove the character"
    ),
    (
      "id,name,region,size\n1,a\"b,,2\n",
      "c.csv:2: column 4: a quote inside an unquoted field; quote the whole field and double the"
        + " inner quote"
    ),
    (
      "id,name,region,size\n1,\"a\nb\",,2\n7,b,,2\n1,c,,3\n",
      "c.csv:5: field 'id': key 1 is already in line 2; each key may stand once"
    ),
    (
      "id,name,region,size\nx,a,,2\n",
      "c.csv:2: field 'id': 'x' is no int64; "
        + "allowed: a whole number from -9223372036854775808 to 9223372036854775807, without + or"
        + " leading zeros. To keep it as it is written, declare 'id: string'"
    ),
    (
      "id,name,region,size\n1,a,,\n",
      "c.csv:2: field 'size': an empty field is no double; allowed: a decimal number that 64 bits"
        + " keep, such as 12.5 or 1e3. To read it as null, declare 'size: double?'"
    ),
  ])
  func `an error names its line`(text: String, message: String) {
    #expect(Self.message(text) == message)
  }

  @Test(arguments: ["k\nx\n\n", "k\n\nx\n"])
  func `a blank line is no key`(text: String) {
    let entity = RowDescription(
      name: "E", attributes: [AttributeDescription("k", .string)], keyIndex: 0)
    #expect(Self.message(text, entity)?.contains("the line is blank; remove it") == true)
    #expect(throws: Never.self) { try Self.read("k\n\"\"\n", entity) }
  }

  @Test func `keys that look alike but have different bytes are two keys`() throws {
    let entity = RowDescription(
      name: "E", attributes: [AttributeDescription("k", .string, isOptional: false)], keyIndex: 0)
    #expect(try Self.read("k\ncaf\u{E9}\ncafe\u{301}\n", entity).rows.count == 2)
    #expect(
      Self.message("k\nx\nx\n", entity)
        == "c.csv:3: field 'k': key \"x\" is already in line 2; each key may stand once")
  }
}

struct FieldParsingTests {
  static func value(_ text: String, _ kind: AttributeType, optional: Bool = false) -> Value? {
    AttributeDescription("a", kind, isOptional: optional).value(of: text)
  }

  @Test(arguments: AttributeType.allCases)
  func `an empty field is null, the empty text or an error`(kind: AttributeType) {
    #expect(Self.value("", kind, optional: true) == .null)
    #expect(Self.value("", kind) == (kind == .string ? .string("") : nil))
  }

  @Test func `numbers are decimal and finite`() {
    #expect(Self.value("9223372036854775807", .int64) == .int64(.max))
    #expect(Self.value("-9223372036854775808", .int64) == .int64(.min))
    for text in ["9223372036854775808", "1.0", "1 ", " 1", "0x1", "1e3", "-", "004", "+5", "-0"] {
      #expect(Self.value(text, .int64) == nil, "\(text)")
    }
    #expect(Self.value("34.79049", .double) == .double(34.79049))
    #expect(Self.value("-1e-3", .double) == .double(-0.001))
    for text in ["nan", "inf", "-infinity", "0x1p3", "1e999", "1,5", " 1", "."] {
      #expect(Self.value(text, .double) == nil, "\(text)")
    }
  }

  @Test func `doubles from 2⁵³ on, or below the smallest one, keep their digits or are an error`() {
    for text in [
      "9007199254740992", "-9007199254740994", "1e300", "123456789012345680000", "5e-324",
    ] {
      #expect(Self.value(text, .double) == Double(text).map(Value.double), "\(text)")
    }
    for text in ["9007199254740993", "12345678901234567890", "1e-400", "4e-324", "-1.23456e-320"] {
      #expect(Self.value(text, .double) == nil, "\(text)")
    }
  }

  @Test(
    arguments: [
      ("004", .int64, "string"), ("9223372036854775808", .int64, "string"),
      ("1.5", .int64, "double"),
      ("9007199254740993", .double, "int64"), ("1e-400", .double, "string"),
      ("1,5", .double, "string"), ("1,5", .int64, "string"), ("yes", .bool, "string"),
      ("1/7/2026", .date, "string"), ("19.99 €", .decimal, "string"),
      ("1234567890.123456", .decimal, "string"), ("1388620296020", .date, "int64"),
    ] as [(String, AttributeType, String)])
  func `the error of a number that would change names a type that keeps it`(
    text: String, type: AttributeType, other: String
  ) throws {
    let attribute = AttributeDescription("a", type)
    #expect(attribute.value(of: text) == nil)
    if type == .int64 {
      #expect(attribute.remedy(for: text, isKey: true).hasSuffix("'a: string'"))
    }
    #expect(
      attribute.remedy(for: text, isKey: false)
        == "To keep it as it is written, declare 'a: \(other)'")
  }

  @Test func `minus zero is read as zero`() {
    guard case .double(let value)? = Self.value("-0.0", .double) else {
      Issue.record("no double")
      return
    }
    #expect(value.sign == .plus)
  }

  @Test func `a bool is written in four ways`() {
    #expect(Self.value("true", .bool) == .bool(true))
    #expect(Self.value("1", .bool) == .bool(true))
    #expect(Self.value("false", .bool) == .bool(false))
    #expect(Self.value("0", .bool) == .bool(false))
    for text in ["True", "yes", "2", "t"] { #expect(Self.value(text, .bool) == nil, "\(text)") }
  }

  @Test func `data is base64`() {
    #expect(Self.value("AAH/", .data) == .data(Data([0, 1, 255])))
    #expect(Self.value("A", .data) == nil)
    #expect(Self.value("*&!", .data) == nil)
  }

  @Test func `decimals keep all their digits, or are an error`() {
    #expect(Self.value("19.99", .decimal) == .decimal(19.99))
    #expect(Self.value("-1e-3", .decimal) == .decimal(-0.001))
    #expect(Self.value("123456789012345000", .decimal) == .decimal(123_456_789_012_345_000))
    let long = "1." + String(repeating: "0", count: 60) + "1"
    for text in [
      "nan", "1,5", "1e300", "1234567890.123456", "0.10000000000000001", "", "12a", "1e-400", long,
    ] {
      #expect(Self.value(text, .decimal) == nil, "\(text)")
    }
  }

  @Test func `UUIDs have 36 characters, and URIs a scheme`() throws {
    let text = "8f14e45f-ceea-467f-a1d5-91a8b7d5a0c3"
    #expect(Self.value(text, .uuid) == .uuid(try #require(UUID(uuidString: text.uppercased()))))
    for text in ["8f14e45f", String(text.dropLast()), text + "0", "{\(text)}"] {
      #expect(Self.value(text, .uuid) == nil, "\(text)")
    }
    for text in ["https://example.com/a?b=%20#c", "urn:isbn:1", "mailto:a@b.c"] {
      #expect(Self.value(text, .uri) == .uri(text))
    }
    for text in ["example.com", "https://a b", "/a", "https://[", "http://é.fr", "urn:a\0"] {
      #expect(Self.value(text, .uri) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    ("decimal", "1.5x", "a decimal number of at most 15 digits such as 19.99 or 1e3"),
    ("uuid", "1", "a UUID such as 8F14E45F-CEEA-467F-A1D5-91A8B7D5A0C3"),
    ("uri", "a b", "a URI with its scheme such as https://example.com/a?b=c"),
  ])
  func `the error of an invalid text has line, column and allowed values`(
    type: String, text: String, allowed: String
  ) throws {
    let yaml = Small.yaml.replacing("size: double", with: "size: \(type)")
    let error = #expect(throws: InputError.self) {
      try Small.workload(
        yaml: yaml, before: "id,name,region,size\n1,a,,\(text)\n",
        after: "id,name,region,size\n1,a,,\n")
    }
    #expect(
      error?.description.contains(
        "before.csv:2: field 'size': '\(text)' is no \(type); allowed: \(allowed)") == true)
  }

  @Test(arguments: [
    ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-02", 86_400),
    ("2000-12-31T23:59:59Z", -1), ("1970-01-01", -978_307_200),
    ("2000-03-01T00:00:00Z", -26_438_400), ("2024-02-29T12:00:00.5Z", 730_900_800.5),
    ("2026-07-01T12:30:00Z", 804_601_800),
  ])
  func `dates are seconds since 2001`(text: String, seconds: Double) {
    #expect(Self.value(text, .date) == .date(secondsSince2001: seconds))
  }

  @Test(arguments: [
    "2001-1-1", "2001-13-01", "2001-00-10", "2001-02-29", "1900-02-29", "2001-04-31",
    "2001-01-01T00:00:00", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z",
    "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00+01:00", "2001-01-01 00:00:00Z", "yesterday",
    "2001-01-01T00:00:00.5xZ", "2001-01-0é",
  ])
  func `an invalid time, or one outside UTC, is not a date`(text: String) {
    #expect(Self.value(text, .date) == nil)
  }

  @Test func `dates agree with Foundation's over four centuries`() {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime]
    var random = SplitMix64(seed: 11)
    for _ in 0..<500 {
      let seconds = Double(random.next(below: 12_600_000_000) - 6_300_000_000)
      let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
      #expect(Self.value(text, .date) == .date(secondsSince2001: seconds), "\(text)")
    }
  }
}
