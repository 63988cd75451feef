import Foundation
import Measurement
import Testing

@Suite("Closed and full standard streams")
struct StreamTests {
  private let command: CommandRun

  init() throws {
    command = CommandRun()
    try command.write(
      try String(contentsOfFile: CommandRun.sampleReport, encoding: .utf8), to: "a.csv")
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
    #expect(try command.shell("\"$topobench\" --frobnicate \(streams)").status == 64)
  }

  @Test func `a cell without standard input is refused`() throws {
    let outcome = try command.shell("\"$topobench\" cell <&-", expecting: 64)
    #expect(outcome.errors.contains("standard input is not the specification of a cell"))
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
      let outcome = try command.shell("\"$topobench\" \(arguments) \(stream)")
      #expect(outcome.status == 1, "\(arguments): \(outcome.errors)")
      #expect(
        outcome.errors.contains("\(what) was lost: cannot write to standard output"),
        "\(arguments): \(outcome.errors)")
    }
  }

  @Test func `a run whose answer is lost keeps its rows, and says where`() throws {
    let outcome = try command.shell("\(Self.run) --format json >/dev/full", expecting: 1)
    #expect(outcome.errors.contains("no space left on device"), "\(outcome.errors)")
    #expect(outcome.errors.contains("Rows: "))
    #expect(try command.cells("run.csv").map(\.status) == [.ok, .ok])
  }

  @Test func `rows that cannot be written to standard output are an error`() throws {
    let run = Self.run.replacing("run.csv", with: "-")
    let outcome = try command.shell("\(run) >/dev/full", expecting: 1)
    #expect(outcome.errors.contains("cannot write to standard output"), "\(outcome.errors)")
  }

  @Test func `a reader that goes away does not end a command`() throws {
    try command.shell("\(Self.run) | true; exit ${PIPESTATUS[0]}", expecting: 0)
    #expect(try command.cells("run.csv").count == 2)
    let list = try command.shell("\"$topobench\" list metrics | true; exit ${PIPESTATUS[0]}")
    #expect(list.status == 0)
  }

  @Test func `a gate reads standard input once and cannot renew it as a baseline`() throws {
    let twice = try command.run("gate", "--baseline", "-", "--candidate", "-")
    #expect(twice.status == 64 && twice.errors.contains("standard input can be read only once"))
    let renewed = try command.run(
      "gate", "--baseline", "old.csv", "--candidate", "-", "--update-baseline")
    #expect(renewed.status == 64 && renewed.errors.contains("--update-baseline: name files"))
  }
}
