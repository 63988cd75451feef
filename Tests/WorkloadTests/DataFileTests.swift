import DataModel
import Foundation
import Support
import Testing

@testable import Workload

/// A data file, and the parts of the scenario that reads it.
struct DataFile: CustomTestStringConvertible {
  var file: String
  var bytes: [UInt8]
  /// The first is the key.
  var attributes = "id: int64, name: string"
  /// Under `data:`, beside the files.
  var data: String?
  /// The number of rows, or the error after the file's name.
  var expected: Result<Int, InputError>

  var testDescription: String { "\(file), \(attributes), \(data ?? "")" }

  static func read(
    _ file: String, _ text: String, as attributes: String = "id: int64, name: string",
    data: String? = nil, rows: Int
  ) -> DataFile {
    DataFile(
      file: file, bytes: Array(text.utf8), attributes: attributes, data: data,
      expected: .success(rows))
  }

  static func refused(
    _ file: String, _ text: String, as attributes: String = "id: int64, name: string",
    data: String? = nil, line: Int = 1, field: String? = nil, _ message: String
  ) -> DataFile {
    DataFile(
      file: file, bytes: Array(text.utf8), attributes: attributes, data: data,
      expected: .failure(InputError(.file(file, line: line), field: field, message)))
  }

  /// The scenario is in `home/`, and the file's path is relative to it.
  func scenario(in folder: TemporaryFolder) throws -> Scenario {
    let path = try folder.write("home/\(file)", "")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let scenario = try folder.write(
      "home/mine.yaml",
      """
      asks: Can it be read?
      entity: { name: Row, key: \(attributes.prefix { $0 != ":" }), attributes: { \(attributes) } }
      data:
        before: \(file)
        after: \(file)
        \(data ?? "rows: all")
      """)
    return try #require(try Scenario.load(file: scenario).first)
  }

  func table() throws -> TableRows {
    let folder = try TemporaryFolder()
    return try withExtendedLifetime(folder) { try DataSource(scenario(in: folder)).tables()[0] }
  }

  func check() throws {
    switch expected {
    case .success(let count): #expect(try table().before.rows.count == count)
    case .failure(let expected):
      let error = try #require(#expect(throws: InputError.self) { try table() })
      #expect(error.description.hasSuffix("/\(expected)"), "\(error)")
    }
  }
}

@Suite("Data files of other programs")
struct DataFileTests {
  private static let stops = """
    stop_id,stop_code,stop_name,stop_desc,stop_lat,stop_lon,location_type\r
    8503000,,"Zürich HB, Gleis 3",,47.378,8.54,1\r
    8503000:0:3,,Zürich HB,,47.378,8.54,\r

    """
  private static let countries = """
    name,alpha-2,alpha-3,country-code,iso_3166-2
    Afghanistan,AF,AFG,004,ISO 3166-2:AF
    Åland Islands,AX,ALA,248,ISO 3166-2:AX

    """
  private static let countryColumns = "columns: { country-code: code, alpha-2: short }"
  private static let quakes = """
    time,latitude,longitude,mag,id
    2026-07-01T12:30:00.123Z,38.8,-122.8,,nc1
    2026-07-01T12:31:00.456Z,61.2,-149.9,1.5,ak2

    """
  private static let quake = "id: string, time: date, mag: double"
  private static let other = "If the names differ, write under 'data': columns: {NAME: id}"

  /// Each has the oddities of a public file.
  static let samples: [DataFile] = [
    .read(
      "stops.txt", stops,
      as: "stop_id: string, stop_name: string, stop_lat: double, stop_lon: double",
      rows: 2),
    .refused(
      "airports.dat", "1,\"Goroka\",\"GKA\"\n2,\"Madang\",\"MAG\"\n",
      "no column of Row is named here. Not used: '1', 'Goroka', 'GKA'. If this is a row, put the"
        + " header above it: id,name. \(other)"),
    .read(
      "countries.csv", countries, as: "code: string, name: string, short: string",
      data: countryColumns,
      rows: 2),
    .refused(
      "countries.csv", countries, as: "code: int64, name: string, short: string",
      data: countryColumns,
      line: 2, field: "code",
      "'004' is no int64; allowed: a whole number from -9223372036854775808 to 9223372036854775807,"
        + " without + or leading zeros. To keep it as it is written, declare 'code: string'"),
    .refused(
      "countries.csv", countries, as: "alpha_2: string, name: string",
      "column 'alpha_2' is missing; Row has it as an attribute. Not used: 'alpha-2', 'alpha-3',"
        + " 'country-code', 'iso_3166-2'. If it has another name, write under 'data': columns:"
        + " {\"alpha-2\":\"alpha_2\"}"),
    .read("quakes.csv", quakes, as: quake + "?", rows: 2),
    .refused(
      "quakes.csv", quakes, as: quake, line: 2, field: "mag",
      "an empty field is no double; allowed: a decimal number that 64 bits keep, such as 12.5 or"
        + " 1e3. To read it as null, declare 'mag: double?'"),
    .read(
      "export.json", #"[{"id":1,"name":"a","tags":["x"]}, {"name":"\u00fc","id":2}]"#, rows: 2),
    .read("export.jsonl", "{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":\"b\"}\n", rows: 2),
    .refused(
      "quakes.geojson", #"{"type":"FeatureCollection","features":[{"id":"nc1"}]}"#,
      "no object has a column of Row. Not used: 'type', 'features'. If the rows are inside an"
        + " object, take them out by: jq .MEMBER FILE > NEW. \(other)"),
    .refused(
      "export.csv", #"[{"id":1,"name":"a"}]"#,
      "is JSON; name the file .json, or write under 'data': format: json"),
    .refused(
      "semicolons.csv", "\"id\";\"name\"\n1;a\n",
      "a semicolon separates the columns; write under 'data': format: semicolon"),
    .read("semicolons.csv", "id;name\n1;\"a;b\"\n", data: "format: semicolon", rows: 1),
    .read("tabs.tsv", "id\tname\n1\ta,b\n", rows: 1),
    .refused(
      "tabs.txt", "id\tname\n1\ta\n",
      "a tab separates the columns; write under 'data': format: tab"),
    .read("spreadsheet.csv", "\u{FEFF}id,name\r\n1,a\r\n2,\"b\r\nc\"\r\n", rows: 2),
    .refused(
      "mac.csv", "id,name\r1,a\r2,b\r",
      #"lines end in CR alone; convert the file by: tr '\r' '\n' < FILE > NEW"#),
    .refused(
      "blank.csv", "\nid,name\n1,a\n",
      "the line is blank; remove it, so that the first line names the columns"),
    .refused(
      "excel.csv", "\u{FEFF}sep=;\r\nid;name\r\n1;a\r\n", data: "format: semicolon",
      "the line tells Excel the separator; remove it, so that the first line names the columns"),
    DataFile(
      file: "latin1.csv", bytes: Array("id,name\n1,Z".utf8) + [0xFC] + Array("rich\n".utf8),
      expected: .failure(
        InputError(
          .file("latin1.csv", line: 2), field: "name",
          "is not UTF-8; convert the file, such as by: iconv -f LATIN1 -t UTF-8 FILE > NEW"))),
    DataFile(
      file: "utf16.csv", bytes: [0xFF, 0xFE] + "id,name\n".utf16.flatMap { [UInt8($0 & 255), 0] },
      expected: .failure(
        InputError(
          .file("utf16.csv", line: 1),
          "is UTF-16; convert the file by: iconv -f UTF-16 -t UTF-8 FILE > NEW"))),
  ]

  @Test(arguments: samples)
  func `a public file is read, or refused with cause and remedy`(sample: DataFile) throws {
    try sample.check()
  }

  @Test func `the columns of a file lead to attributes and references of other names`() throws {
    let header = ("tasks1.csv", "code,done,person", "code,\"Is it: done?\",who")
    let columns = (
      "related.yaml", "Task: {", "Task: { columns: { 'Is it: done?': done, who: person },"
    )
    let after = ("tasks2.csv", "code,done,person", "who,Is it: done?,code")
    let rows = ("tasks2.csv", "b,true,5\nc,false,3", "5,true,b\n3,false,c")
    let mapped = try Related.workload(replacing: [header, columns, after, rows])
    #expect(mapped.tables.map(\.after.rows) == (try Related.workload().tables.map(\.after.rows)))
  }

  @Test func `other columns are ignored with one note, or without one if they are named`() throws {
    func notes(_ data: String?) throws -> [String] {
      let folder = try TemporaryFolder()
      let file = DataFile.read("a.csv", "id,x,name,y z\n1,2,b,3\n", data: data, rows: 1)
      let scenario = try file.scenario(in: folder)
      try folder.write("home/b.csv", "id,name,x\n1,c,2\n")
      var check = WorkloadCheck()
      let yaml = try String(contentsOfFile: scenario.file, encoding: .utf8)
      let other = try Scenario.decode(
        yaml: yaml, file: scenario.file, set: ["data.after=b.csv", "changes.per_save=[1,2]"])
      for scenario in other { _ = try check.digest(of: scenario, seed: 1) }
      return check.notes.map { $0.replacing(folder.path, with: "") }
    }
    let note = "/home/mine.yaml: columns that lead to no attribute are ignored: "
    let drop = ". List them in 'ignore', beside 'before', to drop this note"
    #expect(try notes(nil) == ["\(note)'x', 'y z' of Row\(drop)"])
    #expect(try notes("ignore: [x]") == ["\(note)'y z' of Row\(drop)"])
    #expect(try notes("ignore: [x, y z]") == [])
  }

  @Test func `a file in another folder shows its columns if it has one of the expected`() throws {
    let rest = " If it has another name, write under 'data': columns: {\"nmae\":\"name\"}"
    try DataFile.refused(
      "../a.csv", "id,nmae\n1,a\n",
      "column 'name' is missing; Row has it as an attribute. Not used: 'nmae'.\(rest)"
    ).check()
    try DataFile.refused(
      "../a.csv", "password\n",
      "no column of Row is named here. If this is a row, put the header above it: id,name."
        + " \(Self.other)"
    ).check()
  }

  @Test(arguments: [
    (
      "columns: { a: nmae }",
      "6: field 'data.columns': 'a' leads to 'nmae', which Row does not have. Did you mean 'name'?"
        + " Known: id, name"
    ),
    (
      "columns: { a: name, b: name }",
      "6: field 'data.columns': two columns lead to 'name'; keep one of them"
    ),
    (
      "columns: { a: name }\n  ignore: [x, a]",
      "7: field 'data.ignore': 'a' is a column of Row; remove it from one place"
    ),
    (
      "columns: [a]",
      "6: field 'data.columns': a list is of the wrong type; must be a mapping of a file's columns to"
        + " attributes, such as `Alpha-2: code`"
    ),
    (
      "format: semicolons",
      "6: field 'data.format': unknown value 'semicolons'. Did you mean 'semicolon'? Allowed: auto |"
        + " comma | semicolon | tab | json"
    ),
  ])
  func `a wrong description of the columns is an error`(data: String, message: String) throws {
    let file = DataFile.read("a.csv", "id,name\n1,a\n", data: data, rows: 1)
    let error = #expect(throws: InputError.self) { try file.table() }
    #expect(
      error?.description.hasSuffix("/mine.yaml:\(message)") == true, "\(error?.message ?? "")")
  }

  @Test func `columns and form count in the digest, ignored columns do not`() throws {
    func digest(_ data: String?) throws -> String {
      let folder = try TemporaryFolder()
      let file = DataFile.read("a.csv", "id,name,x\n1,a,b\n", data: data, rows: 1)
      return try withExtendedLifetime(folder) { try DataSource(file.scenario(in: folder)).digest() }
    }
    #expect(try digest("ignore: [x]") == digest(nil))
    #expect(try digest("columns: { x: name }") != digest(nil))
    #expect(try digest("format: semicolon") != digest(nil))
  }
}
