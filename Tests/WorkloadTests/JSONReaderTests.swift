import DataModel
import Foundation
import Support
import Testing

@testable import Workload

@Suite("JSON data files")
struct JSONReaderTests {
  private func rows(_ text: String, _ attributes: String) throws -> [Row] {
    try DataFile.read("a.json", text, as: attributes, rows: 0).table().before.rows
  }

  @Test func `values are read as in CSV, and null or no member is null`() throws {
    let text = """
      [ {"id": -5, "name": "a \\"\\ud83d\\ude00\\" \\/", "size": 1.50, "flag": true, "more": {"x": ["]", {}]}},
        {"size": "2e3", "id": 6, "flag": null, "name": ""} ]
      """
    #expect(
      try rows(text, "id: int64, name: 'string?', size: double, flag: 'bool?'") == [
        [.int64(-5), .string("a \"😀\" /"), .double(1.5), .bool(true)],
        [.int64(6), .string(""), .double(2000), .null],
      ])
    #expect(try rows("[]", "id: int64").isEmpty)
    #expect(
      try rows("\u{FEFF}{\"id\": 9007199254740993}", "id: int64") == [[.int64(9007199254740993)]])
  }

  @Test(
    arguments: [
      ("id\n1\n", 1, nil, "is no JSON, which begins with [ or {; name the file's form by 'format'"),
      ("[{\"id\": 1},\n{\"id\": 2", 2, nil, "ends inside an object; is the file cut off?"),
      ("[{\"id\": 1}\n{\"id\": 2}]", 2, nil, "malformed JSON: must be ',' here"),
      ("[{\"id\": 1}]\nx", 2, nil, "text after the end of the array"),
      (
        "{\"id\": \"a\"}\n{" + (0...2000).map { "\"\($0)\": 1" }.joined(separator: ",") + "}", 2,
        nil, "over 2000 different names so far; is it a table of rows?"
      ),
      ("{\"id\": one}", 1, nil, "no JSON value: a text needs quotes"),
      ("{\"id\": \"1\n\"}", 1, nil, "a line break inside a text; write it as \\n"),
      (
        "{\"id\": 1, \"id\": 2}", 1, nil,
        "member 1 of the file occurs twice in this object; keep one"
      ),
      (
        "{\"id\": \"\\ud83d\"}", 1, "id",
        "is not UTF-8, or has a wrong escape; save the file as UTF-8"
      ),
      (
        "{\"id\":\n [1]}", 1, "id",
        "is an object or a list; a data file has one value here, as in"
          + " [{\"id\": 1, \"name\": \"a\"}]. If the rows are inside it, take them out by:"
          + " jq .MEMBER FILE > NEW"
      ),
      (
        "{\"id\": \"a\"}\n{\"x\": 1}", 2, "id",
        "null is no string; allowed: any text without U+0000. Each row needs its key"
      ),
      (
        "{\"id\": \"a\"}\n\n{\"id\": \"a\"}", 3, "id",
        "key \"a\" is already in line 1; each key may stand once"
      ),
      (
        "{\"id\": \"a\\u0000\"}", 1, "id",
        "'a\0' is no string; allowed: any text without U+0000. Remove the character"
      ),
    ] as [(String, Int, String?, String)])
  func `a mistake names its line`(
    text: String, line: Int, field: String?, message: String
  ) throws {
    try DataFile.refused("a.json", text, as: "id: string", line: line, field: field, message)
      .check()
  }
}
