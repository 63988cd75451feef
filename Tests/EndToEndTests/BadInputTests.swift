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

  @Test(arguments: [
    (["--frobnicate"], ["--frobnicate"]), (["--store", "both-of-them"], ["--store"]),
    (["--trials", "0"], ["--trials", "1 to"]), (["--timeout", "0"], ["--timeout"]),
    (["--timeout", "nan"], ["--timeout"]), (["--timeout", "inf"], ["--timeout"]),
    (["--timeout", "1e30"], ["--timeout"]),
    (["--scenario", "5000-cities"], ["--scenario", "twice"]),
    (
      ["--topology", "parent-chld"],
      ["unknown topology 'parent-chld'", "Did you mean 'parent-child'", "main-only"]
    ),
    (["--topology", "all", "--topology", "nosuch"], ["unknown topology 'nosuch'"]),
    (["--set", "changes.per_save=-1"], ["changes.per_save"]),
    (["--set", "changes.persave=5"], ["changes.per_save"]),
    (["--disk", "/nowhere"], ["--disk", "/nowhere"]),
  ])
  func `a wrong option or value is refused`(options: [String], words: [String]) throws {
    try refuses(["--scenario", "5000-cities"] + options, saying: words)
  }

  @Test func `a missing scenario is refused`() throws {
    try refuses([], saying: ["--scenario", "list scenarios"])
  }

  @Test(arguments: [
    (["count", "--scenario", "5000-cities"], "topobench --count"),
    (["findings", "a.csv"], "scripts/lab findings"),
    (["sensitivity", "--no-confirm"], "scripts/lab sensitivity"),
  ])
  func `a former command names what replaces it`(arguments: [String], now: String) throws {
    try refuses(arguments, saying: ["'\(arguments[0])' is no longer a command", "type: \(now)"])
  }

  @Test(arguments: [
    (["--no-progress", "doctor"], "doctor"), (["--quiet", "gate"], "gate"),
    (["--scenarios-folder", "mine", "list", "scenarios"], "list"),
  ])
  func `a subcommand after an option is told to come first`(
    arguments: [String], subcommand: String
  ) throws {
    try refuses(
      arguments, saying: ["'\(subcommand)' is a subcommand", "type: topobench \(subcommand) …"])
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
      ["--count", "--scenario", "5000-cities", "--record"], saying: ["--record: not when"])
    let own = CommandRun.executable("topobench").path
    let duet = [
      "duet", "--count", "--scenario", "5000-cities", "--baseline-binary", own,
      "--candidate-binary", own,
    ]
    try refuses(duet + ["--keep-awake"], saying: ["--keep-awake: not with --count"])
    try refuses(duet + ["--most-pairs", "9"], saying: ["--most-pairs", "not with --count"])
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

  @Test func `a data row of wrong length or repeated key is refused with file and line`() throws {
    try writeScenario({ _ in }, rows: "id,name\n1,a\n2\n")
    try refuses(["--scenario", "mine.yaml"], saying: ["before.csv:3"])
    try writeScenario({ _ in }, rows: "id,name\n1,a\n2,b\n1,c\n")
    try refuses(["--scenario", "mine.yaml"], saying: ["before.csv:4", "1"])
  }

  @Test func `an existing or read-only output file is refused`() throws {
    try command.write("mine", to: "a.csv")
    try refuses(
      ["--scenario", "5000-cities", "--output", "a.csv"], saying: ["--output", "a.csv", "--force"])
    try command.write("mine", to: "folder")
    try refuses(
      ["--scenario", "5000-cities", "--output", "folder/a.csv"], saying: ["--output", "folder"])
    #expect(try command.text("a.csv") == "mine")
  }

  @Test func `a message quotes at most 200 characters of input`() throws {
    let long = String(repeating: "Q' ", count: 500)
    let options = ["--topology", "--shard", "--scenario", "--trials", "--store", "--timeout"]
    for (option, value) in options.map({ ($0, long) }) + [
      ("--set", long), ("--set", "changes.per_save=\(long)"), ("--set", "\(long)=1"),
    ] {
      let outcome = try command.run(
        "--scenario", CommandRun.fewCities, option, value, expecting: 64, saying: "Q' Q' ")
      #expect(outcome.errors.count { $0 == "Q" } <= 3 * 67, "\(option): \(outcome.errors)")
    }
  }
}
