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
    abstract: "Compare two builds, measured in turn, pair by pair, in one session.",
    usage: "topobench duet <options>",
    discussion: """
      The strong mode of comparing: each pair is two fresh processes, one of each build, right after \
      each other, so that what the machine does meets both. How many pairs there are is chosen from \
      how far the first ones scatter. It is judged at two looks at most, and what is worse there must \
      be so again in fresh pairs.

      Exit status: 0 no regression, 2 a regression, 3 a bad cell, 4 inconclusive, 5 the binaries \
      cannot be compared, 6 nothing was compared.
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
    prepared.answer(report, course)
    prepared.clean()
    throw ExitCode(
      report.status(of: course.cells, isInterrupted: interrupts.isInterrupted).rawValue)
  }
}

/// The options that say where a duet's results go.
struct DuetFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The CSV file; `-` for standard output, and the answer goes to standard error. Default:"
        + " results/duet-<scenario>-<time>.csv.", valueName: "file"))
  var output: String?
  @Flag(help: "Write over files that exist.") var force = false
  @Option(
    help: ArgumentHelp(
      "Record what happens in the cells of one side, for `topobench trace`: baseline or candidate.",
      valueName: "side"))
  var record: DuetSide?
  @Option(
    help: ArgumentHelp(
      "The folder on the disk to measure on; it must exist. Default: the system's for temporary"
        + " files.", valueName: "dir"))
  var disk: String?
  @Option(help: "How the answer is written.")
  var format: DuetAnswer.Format = .table
  @Option(help: ArgumentHelp("The most seconds that a cell may take.", valueName: "s"))
  var timeout: Double = 60
  @Flag(help: "Say nothing beside the answer.") var quiet = false
  @Flag(help: "Draw no progress.") var noProgress = false
}

extension DuetSide: ExpressibleByArgument {}

extension DuetReport {
  /// How the command ends.
  func status(of cells: [CellResult], isInterrupted: Bool) -> ExitStatus {
    let verdict: ExitStatus =
      switch verdict {
      case .pass: .done
      case .fail: .regression
      case .inconclusive: .inconclusive
      case nil: isComplete ? .nothingCompared : .interrupted
      }
    return ExitStatus.worst([verdict, .of(cells, isInterrupted: isInterrupted)])
  }
}
