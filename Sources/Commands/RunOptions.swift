import ArgumentParser
import Harness
import Reports

/// The options of `topobench run`.
struct RunOptions: ParsableArguments {
  @OptionGroup(title: "What is measured") var work: WorkOptions
  @OptionGroup(title: "How it is measured") var cells: CellOptions
  @OptionGroup(title: "How it is measured") var awake: AwakeOptions
  @OptionGroup(title: "Where it goes") var files: FileOptions

  @Option(help: "Format of the answer.")
  var format: Answer.Format = .table
  @OptionGroup var output: MessageOptions

  func validate() throws {
    try RowsOutput.requireRoom(on: files.output, format: format, isRecorded: files.record)
    guard files.resume else { return }
    if files.force {
      throw UsageError("--resume keeps the rows that --force overwrites; give one of them")
    }
    if files.output == nil || files.output == "-" {
      throw UsageError("--resume: name the interrupted run's CSV file with --output")
    }
  }
}

/// The cells of a run or a plan.
struct WorkOptions: ParsableArguments {
  @OptionGroup var targets: TargetOptions
  @Option(
    help: ArgumentHelp(
      "Processes per topology and store mode. Default: enough for a verdict.", valueName: "n"))
  var trials: Int?
  @Flag(help: "Use each scenario's small size, for tests.") var smoke = false
}

/// How a run or a plan measures its cells.
struct CellOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Label of every row.", valueName: "text"))
  var label = ""
  @OptionGroup var limit: TimeLimitOption
  @Option(
    help: ArgumentHelp(
      "Measure one machine's share: every N-th round, from the I-th on.", valueName: "i/n"))
  var shard: String?
}

/// Where a run's results go.
struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "CSV file to write; `-` for standard output. Default: results/<scenario>-<time>.csv.",
      valueName: "file"))
  var output: String?
  @Flag(help: "Overwrite existing files.") var force = false
  @Flag(help: "Continue the interrupted run in --output, or start it.")
  var resume = false
  @Flag(help: "Record each cell's timeline, for `topobench trace`.") var record = false
  @Option(help: ArgumentHelp("Keep each cell's SQLite file in this folder.", valueName: "dir"))
  var keepStores: String?
  @OptionGroup var storage: DiskOption
}
