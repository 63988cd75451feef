import Foundation
import Testing

@Suite("Bad input is refused before anything is measured")
struct BadInputTests {
  private let command = CommandRun()

  private func refuses(
    _ arguments: [String], saying words: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try command.expectRefusal(of: arguments, saying: words, sourceLocation: sourceLocation)
    #expect(!command.exists("results"), sourceLocation: sourceLocation)
  }

  @Test func `an unknown scenario is refused with the nearest name`() throws {
    try refuses(
      ["--scenario", "5000-citys"], saying: ["unknown scenario '5000-citys'", "'5000-cities'"])
  }

  @Test func `a missing scenario, a wrong option and a wrong value are refused`() throws {
    try refuses([], saying: ["--scenario", "list scenarios"])
    try refuses(["--scenario", "5000-cities", "--frobnicate"], saying: ["--frobnicate"])
    try refuses(["--scenario", "5000-cities", "--store", "both-of-them"], saying: ["--store"])
    try refuses(["--scenario", "5000-cities", "--trials", "0"], saying: ["--trials", "1 to"])
    for timeout in ["0", "nan", "inf", "1e30"] {
      try refuses(["--scenario", "5000-cities", "--timeout", timeout], saying: ["--timeout"])
    }
    try refuses(
      ["--scenario", "5000-cities", "--scenario", "5000-cities"], saying: ["--scenario", "twice"])
  }

  @Test func `an unknown topology is refused with the nearest and the known names`() throws {
    try refuses(
      ["--scenario", "5000-cities", "--topology", "parent-chld"],
      saying: ["unknown topology 'parent-chld'", "Did you mean 'parent-child'", "main-only"])
    try refuses(
      ["--scenario", "5000-cities", "--topology", "all", "--topology", "nosuch"],
      saying: ["unknown topology 'nosuch'"])
  }

  @Test func `rows and a JSON answer cannot both go to standard output`() throws {
    let words = ["--format", "with --output -", "name a file"]
    for format in ["json", "markdown"] {
      let forms = ["--output", "-", "--format", format]
      try refuses(["--scenario", "5000-cities"] + forms, saying: words)
      try refuses(["collect"] + forms, saying: words)
    }
  }

  @Test func `an option that counted cells cannot obey is refused`() throws {
    try refuses(
      ["count", "--scenario", "5000-cities", "--record"], saying: ["--record: not when"])
    let own = CommandRun.executable("topobench").path
    try refuses(
      [
        "duet", "--count", "--keep-awake", "--scenario", "5000-cities", "--baseline-binary", own,
        "--candidate-binary", own,
      ], saying: ["--keep-awake: not with --count"])
    try refuses(
      [
        "duet", "--count", "--most-pairs", "9", "--scenario", "5000-cities", "--baseline-binary",
        own,
        "--candidate-binary", own,
      ], saying: ["--most-pairs", "not with --count"])
  }

  @Test func `an invalid --set is refused`() throws {
    try refuses(
      ["--scenario", "5000-cities", "--set", "changes.per_save=-1"], saying: ["changes.per_save"])
    try refuses(
      ["--scenario", "5000-cities", "--set", "changes.persave=5"], saying: ["changes.per_save"])
  }

  private func writeScenario(_ edit: (inout String) -> Void, rows: String? = nil) throws {
    var text = """
      name: mine
      asks: Does it?
      entity:
        name: Thing
        key: id
        attributes:
          id: int64
          name: string
      data:
        before: before.csv
        after: after.csv

      """
    edit(&text)
    try command.write(text, to: "mine.yaml")
    try command.write(rows ?? "id,name\n1,a\n2,b\n", to: "before.csv")
    try command.write("id,name\n1,a\n3,c\n", to: "after.csv")
  }

  @Test func `an unknown field, a wrong type or missing data is refused with file and line`() throws
  {
    try writeScenario { $0 += "colour: red\n" }
    try refuses(["--scenario", "mine.yaml"], saying: ["mine.yaml:12", "colour"])
    try writeScenario { $0 += "horizon_ms: soon\n" }
    try refuses(["--scenario", "mine.yaml"], saying: ["mine.yaml:12", "horizon_ms"])
    try writeScenario { $0.replace("after.csv", with: "nowhere.csv") }
    try refuses(["--scenario", "mine.yaml"], saying: ["mine.yaml:11", "nowhere.csv"])
  }

  @Test func `a data row of wrong length or with a repeated key is refused with file and line`()
    throws
  {
    try writeScenario({ _ in }, rows: "id,name\n1,a\n2\n")
    try refuses(["--scenario", "mine.yaml"], saying: ["before.csv:3"])
    try writeScenario({ _ in }, rows: "id,name\n1,a\n2,b\n1,c\n")
    try refuses(["--scenario", "mine.yaml"], saying: ["before.csv:4", "1"])
  }

  @Test func `an existing or read-only output file and a missing disk are refused`() throws {
    try command.write("mine", to: "a.csv")
    try refuses(
      ["--scenario", "5000-cities", "--output", "a.csv"], saying: ["--output", "a.csv", "--force"])
    try command.write("mine", to: "folder")
    try refuses(
      ["--scenario", "5000-cities", "--output", "folder/a.csv"], saying: ["--output", "folder"])
    try refuses(
      ["--scenario", "5000-cities", "--disk", "/nowhere"], saying: ["--disk", "/nowhere"])
    let kept = try String(
      contentsOf: command.folder.appendingPathComponent("a.csv"), encoding: .utf8)
    #expect(kept == "mine")
  }

  @Test func `a message quotes at most 200 characters of input`() throws {
    let long = String(repeating: "Q' ", count: 500)
    let options = ["--topology", "--shard", "--scenario", "--trials", "--store", "--timeout"]
    for (option, value) in options.map({ ($0, long) }) + [
      ("--set", long), ("--set", "changes.per_save=\(long)"), ("--set", "\(long)=1"),
    ] {
      let outcome = try command.run("--scenario", CommandRun.fewCities, option, value)
      #expect(outcome.status == 64, "\(option)")
      #expect(outcome.errors.contains("Q' Q' "), "\(outcome.errors)")
      #expect(outcome.errors.count { $0 == "Q" } <= 3 * 67, "\(option): \(outcome.errors)")
    }
  }
}
