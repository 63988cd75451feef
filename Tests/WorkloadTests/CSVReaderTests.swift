import Testing

@testable import Workload

struct CSVReaderTests {
  static func records(_ bytes: [UInt8]) throws(ScenarioError) -> [[String]] {
    var reader = CSVReader(bytes: bytes, file: "x.csv")
    var records: [[String]] = []
    while try reader.readRecord() {
      var record: [String] = []
      for index in reader.fields.indices { record.append(try reader.text(index)) }
      records.append(record)
    }
    return records
  }

  static func records(_ text: String) throws(ScenarioError) -> [[String]] {
    try records(Array(text.utf8))
  }

  @Test(arguments: [
    ("", []),
    ("a", [["a"]]),
    ("a,b\n", [["a", "b"]]),
    ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
    ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    (",\n", [["", ""]]),
    ("a,\n,b", [["a", ""], ["", "b"]]),
    ("\n", [[""]]),
    ("\"a,b\",c", [["a,b", "c"]]),
    ("\"a\nb\",c\nd,e", [["a\nb", "c"], ["d", "e"]]),
    ("\"a\r\nb\"\r\nc", [["a\r\nb"], ["c"]]),
    ("\"say \"\"hi\"\"\",x", [["say \"hi\"", "x"]]),
    ("\"\"\"\"", [["\""]]),
    ("\"\"\"\"\"\"", [["\"\""]]),
    ("\"\",\"\"", [["", ""]]),
    ("a\rb,c", [["a\rb", "c"]]),
    ("Āzādshahr,中", [["Āzādshahr", "中"]]),
    ("\u{FEFF}a,b", [["a", "b"]]),
  ])
  func `records and fields are those of RFC 4180`(text: String, expected: [[String]]) throws {
    #expect(try Self.records(text) == expected)
  }

  @Test(arguments: [
    ("a,b\n\"c,d\n", "x.csv:2: a quote is opened and never closed"),
    (
      "a\n\"b\nc\"\nd\"e",
      "x.csv:4: a quote inside an unquoted field; "
        + "put the whole field in quotes and double the inner one"
    ),
    (
      "\"a\"b,c", "x.csv:1: text after a closing quote; a quote inside a field is written twice"
    ),
    (
      "\"a\nb\" ,c", "x.csv:2: text after a closing quote; a quote inside a field is written twice"
    ),
  ])
  func `a quote in the wrong place is told with its line`(text: String, message: String) {
    let error = #expect(throws: ScenarioError.self) { try Self.records(text) }
    #expect(error?.description == message)
  }

  @Test func `bytes that are no UTF-8 are told with their line and field`() {
    let error = #expect(throws: ScenarioError.self) {
      try Self.records([0x61, 0x2C, 0x62, 0x0A, 0x63, 0x2C, 0xC3, 0x28, 0x0A])
    }
    #expect(error?.description == "x.csv:2: field 2 is not valid UTF-8")
  }

  @Test func `lines are counted inside quotes too`() throws {
    var reader = CSVReader(bytes: Array("\"a\n\nb\"\nc\n\"d\"".utf8), file: "x.csv")
    var lines: [Int] = []
    while try reader.readRecord() { lines.append(reader.recordLine) }
    #expect(lines == [1, 4, 5])
  }

  @Test func `whatever fields hold, they come back as they were written`() throws {
    let alphabet = ["a", ",", "\"", "\n", "\r\n", "é", " ", ""]
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let records = (0...random.next(below: 4)).map { _ in
        (0..<3).map { _ in
          (0..<random.next(below: 6)).map { _ in alphabet[random.next(below: 8)] }.joined()
        }
      }
      let text = records.map { record in
        record.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
      }.joined()
      #expect(try Self.records(text) == records, "seed \(seed)")
    }
  }
}
