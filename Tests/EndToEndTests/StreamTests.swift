import Foundation
import Measurement
import Testing

@Suite("Closed and full standard streams")
struct StreamTests {
  private let command: CommandRun

  init() throws {
    command = CommandRun()
    let report = CommandRun.root.appendingPathComponent("results/full/5000-cities.csv")
    try command.write(try String(contentsOf: report, encoding: .utf8), to: "a.csv")
  }

  private static let run =
    "\"$topobench\" --scenario \(CommandRun.fewCities) --topology main-only --trials 2"
    + " --output run.csv --timeout 30"

  @Test(arguments: ["2>&-", "2>/dev/full", "<&- 2>&-"])
  func `a run without a usable standard error ends with its own status`(streams: String) throws {
    let outcome = try command.shell("CI=1 \(Self.run) \(streams)", expecting: 0)
    #expect(outcome.output.contains("2 trials"), "\(outcome.output)")
    // A file with the closed stream's number would hold messages.
    #expect(try command.cells("run.csv").count == 2)
    try command.shell("\"$topobench\" --frobnicate \(streams)", expecting: 64)
  }

  @Test func `a cell without standard input is refused`() throws {
    try command.shell(
      "\"$topobench\" cell <&-", expecting: 64,
      saying: "standard input is not the specification of a cell")
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func `an answer that cannot be written is an error, which names what was lost`(
    stream: String
  ) throws {
    for (arguments, what) in [
      ("plan --scenario \(CommandRun.fewCities)", "the plan"), ("list metrics", "the list"),
      ("--help", "the help"), ("compare a.csv a.csv --format csv", "the answer"),
      ("gate --baseline a.csv --candidate a.csv --format json", "the answer"),
      ("report a.csv --output -", "the page"), ("cell --check </dev/null", "the check"),
    ] {
      try command.shell(
        "\"$topobench\" \(arguments) \(stream)", expecting: 1,
        saying: "\(what) was lost: cannot write to standard output")
    }
  }

  @Test(arguments: ["", " --force"])
  func `a page is written to a pipe, which stays one`(force: String) throws {
    try command.shell(
      "mkfifo pipe; cat pipe > page.html & \"$topobench\" report a.csv --output pipe\(force); wait"
        + " && test -p pipe",
      expecting: 0)
    #expect(try command.text("page.html").hasSuffix("</html>\n"))
  }

  @Test func `a page replaces the file that a link leads to`() throws {
    try command.shell(
      "mkdir kept; touch kept/page; ln -s kept/page link; \"$topobench\" report a.csv --force"
        + " --output link && test -L link",
      expecting: 0)
    #expect(try command.text("kept/page").hasSuffix("</html>\n"))
  }

  @Test func `a page that a device has no room for is an error`() throws {
    try command.shell(
      "\"$topobench\" report a.csv --output /dev/full", expecting: 64,
      saying: "cannot write '/dev/full': no space left on device")
  }

  @Test func `a run whose answer is lost keeps its rows, and says where`() throws {
    let outcome = try command.shell(
      "\(Self.run) --format json >/dev/full", expecting: 1, saying: "no space left on device")
    #expect(outcome.errors.contains("Rows: "))
    #expect(try command.cells("run.csv").map(\.status) == [.ok, .ok])
  }

  @Test func `rows that cannot be written to standard output are an error`() throws {
    let run = Self.run.replacing("run.csv", with: "-")
    try command.shell("\(run) >/dev/full", expecting: 1, saying: "cannot write to standard output")
  }

  @Test func `a reader that goes away does not end a command`() throws {
    try command.shell("\(Self.run) | true; exit ${PIPESTATUS[0]}", expecting: 0)
    #expect(try command.cells("run.csv").count == 2)
    try command.shell("\"$topobench\" list metrics | true; exit ${PIPESTATUS[0]}", expecting: 0)
  }

  @Test func `the system's reason why an input cannot be read is named`() throws {
    try command.shell(
      "\"$topobench\" cell < .", expecting: 64,
      saying: "cannot read standard input: is a directory; connect it to a file or a pipe")
    try command.shell(
      "\"$topobench\" collect . --output a.csv", expecting: 1,
      saying: "cannot read '.': is a directory; check the path")
    let gate = try command.shell(
      "\"$topobench\" gate --baseline - --candidate a.csv < .", expecting: 5)
    #expect(!gate.errors.contains("--update-baseline"), "a baseline cannot be made of a stream")
  }

  @Test func `a gate reads standard input once and cannot renew it as a baseline`() throws {
    try command.run(
      "gate", "--baseline", "-", "--candidate", "-", expecting: 64,
      saying: "standard input can be read only once")
    try command.run(
      "gate", "--baseline", "old.csv", "--candidate", "-", "--update-baseline", expecting: 64,
      saying: "--update-baseline: name files")
  }
}
