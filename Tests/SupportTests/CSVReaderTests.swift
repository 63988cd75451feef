import Testing

@testable import Support

struct CSVReaderTests {
  static func records(
    _ bytes: [UInt8], skipsBlankLines: Bool = true
  ) throws(CSVError) -> [[String]] {
    try bytes.withUnsafeBufferPointer { (buffer) throws(CSVError) in
      var reader = CSVReader(buffer, skipsBlankLines: skipsBlankLines)
      var records: [[String]] = []
      while try reader.next() {
        var record: [String] = []
        for field in reader.fields { record.append(try reader.text(field)) }
        records.append(record)
      }
      return records
    }
  }

  static func records(_ text: String, skipsBlankLines: Bool = true) throws(CSVError) -> [[String]] {
    try records(Array(text.utf8), skipsBlankLines: skipsBlankLines)
  }

  @Test(arguments: [
    ("", []),
    ("a", [["a"]]),
    ("a,b\n", [["a", "b"]]),
    ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
    ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
    (",\n", [["", ""]]),
    ("a,\n,b", [["a", ""], ["", "b"]]),
    ("\"a,b\",c", [["a,b", "c"]]),
    ("\"a\nb\",c\nd,e", [["a\nb", "c"], ["d", "e"]]),
    ("\"a\r\nb\"\r\nc", [["a\r\nb"], ["c"]]),
    ("\"say \"\"hi\"\"\",x", [["say \"hi\"", "x"]]),
    ("\"\"\"\"", [["\""]]),
    ("\"\"\"\"\"\"", [["\"\""]]),
    ("\"\",\"\"", [["", ""]]),
    ("a\rb,c", [["a\rb", "c"]]),
    ("Āzādshahr,中", [["Āzādshahr", "中"]]),
  ])
  func `records and fields follow RFC 4180`(text: String, expected: [[String]]) throws {
    #expect(try Self.records(text) == expected)
    #expect(try Self.records(text, skipsBlankLines: false) == expected)
  }

  @Test func `a blank line is skipped, or a record with one empty field`() throws {
    #expect(try Self.records("a\n\n\r\nb") == [["a"], ["b"]])
    #expect(try Self.records("a\n\nb", skipsBlankLines: false) == [["a"], [""], ["b"]])
  }

  @Test(arguments: [
    ("a,b\n\"c,d\n", "line 2, column 1: the quote is never closed; is the file cut off?"),
    (
      "a\n\"b\nc\"\nd\"e",
      "line 4, column 2: a quote inside an unquoted field; "
        + "quote the whole field and double the inner quote"
    ),
    (
      "\"a\"b,c",
      "line 1, column 4: text after the closing quote; double a quote inside a field"
    ),
    (
      "\"a\nb\" ,c",
      "line 2, column 3: text after the closing quote; double a quote inside a field"
    ),
  ])
  func `a quote in the wrong place is an error with its position`(text: String, message: String) {
    let error = #expect(throws: CSVError.self) { try Self.records(text) }
    #expect(error?.description == message)
  }

  @Test func `bytes that are not UTF-8 are an error with their position`() {
    let error = #expect(throws: CSVError.self) {
      try Self.records([0x61, 0x2C, 0x62, 0x0A, 0x63, 0x2C, 0xC3, 0x28, 0x0A])
    }
    #expect(error?.description == "line 2, column 3: not UTF-8; is the file damaged?")
  }

  @Test func `lines inside quotes are counted`() {
    let lines = Array("\"a\n\nb\"\nc\n\"d\"".utf8).withUnsafeBufferPointer { buffer in
      var reader = CSVReader(buffer)
      var lines: [Int] = []
      while (try? reader.next()) == true { lines.append(reader.recordLine) }
      return lines
    }
    #expect(lines == [1, 4, 5])
  }

  @Test func `fields of any text are read as they were written`() throws {
    let alphabet = ["a", ",", "\"", "\n", "\r\n", "é", " ", "", "=", "-", "'", "1", "\u{301}"]
    for seed in 0..<300 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let records = (0...random.next(below: 4)).map { _ in
        (0..<3).map { _ in
          (0..<random.next(below: 6)).map { _ in alphabet[random.next(below: alphabet.count)] }
            .joined()
        }
      }
      let text = records.map(CSVWriter.row).joined()
      let found = try Self.records(text).map { $0.map(CSVWriter.unguarded) }
      #expect(found == records, "seed \(seed)")
    }
  }

  @Test(arguments: ["=1+1", "+1", "@x", "-x", "\tx", "＝1", "'=1", "=\u{301}1"])
  func `a formula begins with an apostrophe, which a report's reader removes`(text: String) {
    #expect(CSVWriter.field(text) == "'\(text)")
    #expect(CSVWriter.unguarded("'\(text)") == text)
  }

  @Test(arguments: [" x", "x ", "\u{FEFF}x", "a,b", "a\nb", "a\rb", "a\u{85}b", "a\u{2028}b"])
  func `a field that a spreadsheet could misread is quoted`(text: String) {
    #expect(CSVWriter.field(text) == "\"\(text)\"")
  }

  @Test(arguments: ["", "-1.5", "1e-3", "a b", "5000-cities", "'a", "'-1.5"])
  func `a plain field is not quoted`(text: String) {
    #expect(CSVWriter.field(text) == text)
  }
}
