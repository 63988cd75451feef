import Foundation
import Testing

@Suite("A new scenario for a data file")
struct NewScenarioTests {
  private let command = CommandRun()

  /// - Returns: the scenario, which `scenario check` accepts.
  private func scenario(for text: String, in file: String = "rows.csv") throws -> String {
    try command.write(text, to: file)
    try command.run(
      "scenario", "new", file, "--force", expecting: 0,
      saying: "Next: topobench --scenario ./rows.yaml")
    try command.run("scenario", "check", "./rows.yaml", expecting: 0)
    return try command.text("rows.yaml")
  }

  @Test(arguments: [",", ";", "\t"])
  func `quoted fields may contain a separator`(separator: String) throws {
    let text = ["id,name", "1,\"Smith\(separator) J.\"", "2,\"B\""].map { line in
      line.replacingOccurrences(of: ",", with: separator) + "\n"
    }.joined()
    let yaml = try scenario(for: text)
    #expect(yaml.contains("    id: int64\n    name: string\n"), "\(yaml)")
  }

  @Test func `the suffix does not decide the separator`() throws {
    let yaml = try scenario(for: "id,name\n1,A\n2,B\n", in: "rows.tsv")
    #expect(yaml.contains("  format: comma\n"), "\(yaml)")
  }

  @Test func `the shipped cities have a scenario`() throws {
    let cities = CommandRun.root.appendingPathComponent("Scenarios/data/cities-2026.csv").path
    try command.run("scenario", "new", cities, "--output", "cities.yaml", expecting: 0)
    #expect(try command.text("cities.yaml").contains("  key: geoname_id\n"))
  }

  @Test(arguments: [
    ("rows.json", "[{\"id\":1,\"n\":\"a\"},{\"id\":2,\"n\":null}]"),
    ("rows.jsonl", "{\"n\":\"a\",\"id\":1}\n{\"id\":2}\n"),
  ])
  func `objects of JSON are rows`(file: String, text: String) throws {
    let yaml = try scenario(for: text, in: file)
    for line in ["  key: id\n", "    id: int64\n", "    n: string?\n", "  sort: [n]\n"] {
      #expect(yaml.contains(line), "\(line)\(yaml)")
    }
  }

  @Test func `a code keeps its zeros and its sign`() throws {
    let yaml = try scenario(for: "code,zip,phone,share\n01,00123,+411,0\n02,00124,+412,-0.5\n")
    for line in [
      "  key: code\n", "    zip: string\n", "    phone: string\n", "    share: double\n",
    ] { #expect(yaml.contains(line), "\(line)\(yaml)") }
  }

  @Test(arguments: ["null", "Null", "true", "no"])
  func `a name is in quotes if YAML reads it as another value`(name: String) throws {
    let sorted = try scenario(for: "id,\(name)\n1,A\n2,B\n")
    #expect(sorted.contains("    \"\(name)\": string\n"), "\(sorted)")
    #expect(sorted.contains("  sort: [\"\(name)\"]\n"), "\(sorted)")
    let key = try scenario(for: "\(name),n\n1,A\n2,B\n")
    #expect(key.contains("  key: \"\(name)\"\n"), "\(key)")
  }

  @Test(arguments: ["1", "~", "- x", "a: b", "#x"])
  func `a column may have any name`(name: String) throws {
    for header in ["\(name),n", "id,\(name)"] {
      let yaml = try scenario(for: "\(header)\n1,A\n2,B\n")
      #expect(yaml.contains("    \"\(name)\": "), "\(yaml)")
    }
  }

  @Test func `rows inside an object are refused with the form that is read`() throws {
    try command.write(
      #"{"type":"FeatureCollection","features":[{"id":"nc1"}]}"#, to: "quakes.geojson")
    try command.run(
      "scenario", "new", "quakes.geojson", expecting: 64,
      saying: "quakes.geojson:1: field 'features': is an object or a list; a data file has one"
        + #" value here, as in [{"id": 1, "name": "a"}]. If the rows are inside it, take them"#
        + " out by: jq .MEMBER FILE > NEW\n")
  }

  @Test func `a number among the names may be a row's`() throws {
    try command.write("1,Rome,2.5\n2,Bari,3\n", to: "rows.csv")
    try command.run(
      "scenario", "new", "rows.csv", expecting: 0,
      saying: "rows.csv:1: names the columns, and '1' is a number; if this is a row, put a header"
        + " above it\n")
    try command.write("[{\"1\": 1}]", to: "names.json")
    let names = try command.run("scenario", "new", "names.json", expecting: 0)
    #expect(!names.errors.contains("is a number"), "\(names)")
  }

  @Test func `a scenario takes 64 columns`() throws {
    let names = (1...64).map { "c\($0)" }.joined(separator: ",")
    let values = (1...64).map { "\($0)" }.joined(separator: ",")
    #expect(try scenario(for: "\(names)\n\(values)\n").contains("    c64: int64\n"))
  }

  @Test func `a number is the key rather than a text`() throws {
    let yaml = try scenario(for: "name,id\nAgra,1\nBari,2\n")
    #expect(yaml.contains("  key: id\n") && yaml.contains("  sort: [name]\n"), "\(yaml)")
  }

  @Test(arguments: [
    ("my rows (1).csv", "./my_rows__1_.yaml"), ("Ünï.csv", "./_n_.yaml"),
    ("a folder/rows.csv", "'a folder/rows.yaml'"),
  ])
  func `the next command measures the scenario of any file name`(
    file: String, shown: String
  ) throws {
    try command.makeFolder("a folder")
    try command.write("id,name\n1,A\n", to: file)
    try command.run(
      "scenario", "new", file, expecting: 0, saying: "Next: topobench --scenario \(shown)\n")
    try command.shell("\"$topobench\" scenario check \(shown)", expecting: 0)
  }

  @Test func `the next command measures a scenario file without a suffix`() throws {
    try command.write("id,name\n1,A\n", to: "rows.csv")
    try command.run(
      "scenario", "new", "rows.csv", "--output", "rows", expecting: 0, saying: "--scenario ./rows")
    try command.run("scenario", "check", "./rows", expecting: 0)
    try command.run(
      "scenario", "check", "rows", expecting: 64, saying: "If it is a scenario, type ./rows. ")
    try command.run(
      "scenario", "check", "rows.csv", expecting: 64,
      saying: "If it has rows, type: topobench scenario new rows.csv\n")
  }

  @Test func `the next command begins as this one did`() throws {
    try command.write("id,name\n1,A\n", to: "rows.csv")
    let process = command.process(
      ["scenario", "new", "rows.csv"], environment: ["TOPOBENCH_COMMAND": "scripts/topobench"])
    let errors = try command.finish(process).errors
    #expect(errors.hasSuffix("Next: scripts/topobench --scenario ./rows.yaml\n"), "\(errors)")
  }

  @Test func `a scenario on standard output names no file and no command`() throws {
    try command.write("id,name\n1,A\n", to: "rows.csv")
    let outcome = try command.run("scenario", "new", "rows.csv", "--output", "-", expecting: 0)
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("  key: id\n"), "\(outcome.output)")
  }

  @Test(arguments: ["pipe", "/dev/stdin"])
  func `a pipe is refused, because a run reads the data again`(data: String) throws {
    let outcome = try command.shell(
      """
      mkfifo pipe; exec 3<>pipe; printf 'id,name\n1,A\n' >&3
      "$topobench" scenario new \(data) --output rows.yaml <pipe
      """, expecting: 64, saying: "Error: \(data): not a regular file; check the path\n")
    #expect(outcome.output.isEmpty && !command.exists("rows.yaml"))
  }

  @Test(arguments: [
    ("id,id\n1,2\n", "rows.csv:1: column 'id' occurs twice; rename one of them"),
    ("id,\u{F6},\u{F6}\n1,2,3\n", "rows.csv:1: column '\u{F6}' occurs twice; rename one of them"),
    ("sep=;\nid;name\n1;A\n", "rows.csv:1: the line tells Excel the separator; remove it"),
    ("id,name\n", "rows.csv:2: the file has no row; add one"),
    ("id,name\n1,A\n2\n", "rows.csv:3: 1 field, but the header has 2 columns"),
    ("id,name\n1,a\"b\n", "rows.csv:2: column 4: a quote inside an unquoted field"),
    ("price\n1.5\n2.5\n", "no column of whole numbers, UUIDs or texts has another value"),
    (
      (0...64).map { "c\($0)" }.joined(separator: ",") + "\n"
        + (0...64).map { "\($0)" }.joined(separator: ",") + "\n",
      "rows.csv:1: 65 columns; a scenario takes 64. Remove some"
    ),
    (
      "id,K\u{F6}ln,Ko\u{308}ln\n1,a,b\n",
      "rows.csv:1: column 'Ko\u{308}ln' occurs twice; rename one of them"
    ),
  ])
  func `a scenario that could not run is not written`(text: String, problem: String) throws {
    try command.write(text, to: "rows.csv")
    try command.run("scenario", "new", "rows.csv", expecting: 64, saying: problem)
    #expect(!command.exists("rows.yaml"))
  }
}
