import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Reports
import Workload

struct DuetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duet",
    abstract: "Compare two builds, measured in turn, pair by pair.",
    usage: "topobench duet <options>",
    discussion: """
      The strongest comparison. A pair is two new processes, one per build, run one after the other, \
      so that noise of the machine affects both. The spread of the first pairs decides how many pairs \
      there are. The duet is judged at one or two looks. A regression must show again in new pairs.

      Exit status: 0 no regression, 2 a regression, 3 a bad cell, 4 inconclusive, 5 the builds cannot \
      be compared, 6 nothing was compared.
      """)

  @OptionGroup(title: "What is compared") var duet: DuetOptions
  @OptionGroup(title: "How it is measured") var awake: AwakeOptions
  @OptionGroup(title: "Where it goes") var files: DuetFileOptions

  func run() async throws {
    let interrupts = Interrupts()
    interrupts.listen()
    guard let prepared = try await PreparedDuet(duet, awake, files, interrupts: interrupts) else {
      throw ExitCode(ExitStatus.interrupted.rawValue)
    }
    defer { prepared.clean() }
    let course = try await awake.whileAwake { try await prepared.measure(interrupts) }
    let report = try prepared.conclude(course)
    try prepared.answer(report, course)
    prepared.clean()
    throw ExitCode(
      report.status(of: course.cells, isInterrupted: interrupts.isInterrupted).rawValue)
  }
}

/// Where a duet's results go.
struct DuetFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "CSV file to write; `-` for standard output, with the answer on standard error. Default:"
        + " results/duet-<scenario>-<time>.csv.", valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite existing files.") var force = false
  @Option(
    help: ArgumentHelp(
      "Record the cells of one side for `topobench trace`: baseline or candidate.",
      valueName: "side"))
  var record: Side?
  @OptionGroup var storage: DiskOption
  @Option(help: "Format of the answer.")
  var format: DuetAnswer.Format = .table
  @OptionGroup var limit: TimeLimitOption
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    try RowsOutput.requireRoom(on: output, format: format, isRecorded: record != nil)
  }
}
