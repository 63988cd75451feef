import ArgumentParser
import Harness
import Reports
import SQLiteStore

/// The options that say what is measured and where it goes.
struct RunOptions: ParsableArguments {
  @OptionGroup(title: "What is measured") var work: WorkOptions
  @OptionGroup(title: "How it is measured") var cells: CellOptions
  @OptionGroup(title: "How it is measured") var awake: AwakeOptions
  @OptionGroup(title: "Where it goes") var files: FileOptions

  @Option(help: "How the answer is written.")
  var format: Answer.Format = .table
  @Flag(help: "Say nothing beside the answer.") var quiet = false
  @Flag(help: "Draw no progress.") var noProgress = false
}

struct WorkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("What is asked: a scenario's name or file. Repeatable.", valueName: "name"))
  var scenario: [String] = []
  @Option(
    help: ArgumentHelp(
      "A topology, or `all`. Repeatable. Default: those of the founding question.",
      valueName: "name"))
  var topology: [String] = []
  @Option(help: "How the coordinator locks: pool, serial or both.")
  var store: StoreChoice = .pool
  @Option(
    help: ArgumentHelp("How often each is measured. Default: enough for a verdict.", valueName: "n")
  )
  var trials: Int?
  @Option(help: ArgumentHelp("What order and stream of changes are drawn from.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "A value in the place of a scenario's field; a list of values sweeps it. Repeatable.",
      valueName: "key=value"))
  var set: [String] = []
  @Flag(help: "At the size that a scenario states for tests.") var smoke = false
  @Option(help: ArgumentHelp("A folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?
}

struct CellOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What the rows are labelled with.", valueName: "text"))
  var label = ""
  @Option(help: ArgumentHelp("The most seconds that a cell may take.", valueName: "s"))
  var timeout: Double = 60
  static let longestTimeout: Double = 86_400
  @Option(
    help: ArgumentHelp(
      "One machine's part of the run: whole rounds, every N-th from the I-th on.",
      valueName: "i/n"))
  var shard: String?
}

struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The CSV file; `-` for standard output. Default: results/<scenario>-<time>.csv.",
      valueName: "file"))
  var output: String?
  @Flag(help: "Write over files that exist.") var force = false
  @Flag(help: "Go on with the interrupted run that --output names, or begin it.")
  var resume = false
  @Flag(help: "Record what happens in each cell, for `topobench trace`.") var record = false
  @Option(
    help: ArgumentHelp("Leave each cell's SQLite file in this folder.", valueName: "dir"))
  var keepStores: String?
  @Option(
    help: ArgumentHelp(
      "The folder on the disk to measure on; it must exist. Default: the system's for temporary"
        + " files.", valueName: "dir"))
  var disk: String?
}

enum StoreChoice: String, CaseIterable, ExpressibleByArgument {
  case pool, serial, both

  var modes: [StoreMode] {
    switch self {
    case .pool: [.pool]
    case .serial: [.serial]
    case .both: [.pool, .serial]
    }
  }
}

/// Completions and help list the formats.
extension OutputFormat: ExpressibleByArgument {}
