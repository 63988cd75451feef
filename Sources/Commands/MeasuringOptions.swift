package import ArgumentParser
package import Foundation
import Harness
import Judging
import Measurement
import Reports
import SQLiteStore

package struct TargetOptions: ParsableArguments {
  @Option(
    help: .init("Scenario name or file. Repeatable.", valueName: "name"), completion: .scenarios)
  var scenario: [String] = []
  @Option(
    help: .init(
      "Topology, or `all`. Repeatable. Default: those of the founding question.",
      valueName: "name"), completion: .topologies)
  var topology: [String] = []
  @Option(help: "Store mode: pool, serial or both.")
  var store: StoreChoice = .pool
  @Option(help: .init("Seed for the order of cells and changes.", valueName: "n"))
  package var seed: UInt64 = 1
  @Option(
    help: .init(
      "Set a scenario field; a list of values sweeps it. Repeatable.", valueName: "key=value"),
    completion: .fields)
  var set: [String] = []
  @Option(help: .init("Folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?

  package init() {}
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

struct WorkOptions: ParsableArguments {
  @OptionGroup var targets: TargetOptions
  @Option(
    help: .init(
      "Processes per topology and store mode. Default: enough for a verdict.", valueName: "n"))
  var trials: Int?
  @Flag(help: "Use each scenario's small size, for tests.") var smoke = false
}

struct CellOptions: ParsableArguments {
  @Option(help: .init("Label of every row.", valueName: "text"))
  var label = ""
  @OptionGroup var limit: TimeLimitOption
  @Option(
    help: .init(
      "Measure one machine's share: every N-th round, from the I-th on.", valueName: "i/n"))
  var shard: String?
}

package struct TimeLimitOption: ParsableArguments {
  @Option(help: .init("Time limit per cell, in seconds.", valueName: "s"))
  var timeout: Double = 60

  package init() {}

  package var duration: Duration { .seconds(timeout) }

  package func validate() throws {
    guard CellSpecification.isTimeLimit(timeout) else {
      throw UsageError("--timeout: \(timeout) is not a number of seconds above 0, up to 86400")
    }
  }
}

struct CountOptions: ParsableArguments {
  @Flag(help: "Count instructions under valgrind instead of times: each cell once, on any machine.")
  var count = false
  @Flag(help: "With --count: count merge, list, push-up, fetch, save and fault by themselves.")
  var parts = false

  /// The slices that are also counted by themselves.
  var slices: [String] { parts ? Metric.countedParts : [] }
}

struct AwakeOptions: ParsableArguments {
  @Flag(
    help: .init(
      "Keep the processors awake with threads of idle priority. Less noise on virtual machines."
        + " Linux only."))
  var keepAwake = false

  func checkMachine() throws {
    if keepAwake { try AwakeProcessors.checkMachine() }
  }

  func whileAwake<Result>(_ body: () async throws -> Result) async throws -> Result {
    let awake = keepAwake ? try AwakeProcessors() : nil
    defer { awake?.stop() }
    return try await body()
  }
}

package struct DiskOption: ParsableArguments {
  @Option(
    help: .init(
      "Existing folder on the disk to measure. Default: the system's folder for temporary files.",
      valueName: "dir"))
  var disk: String?

  package init() {}

  /// The caller removes the folder.
  package func makeFolder() throws -> URL {
    guard let disk else { return try Self.makeTemporaryFolder() }
    return try Self.makeFolder(in: URL(fileURLWithPath: disk, isDirectory: true), from: "--disk")
  }

  static func makeTemporaryFolder() throws -> URL {
    try makeFolder(in: FileManager.default.temporaryDirectory, from: "TMPDIR")
  }

  private static func makeFolder(in parent: URL, from option: String) throws -> URL {
    guard FileSystem.isFolder(parent) else {
      throw UsageError("\(option): '\(parent.path)' is not a folder; create it, or name another")
    }
    do {
      return try RunFolder.make(in: parent)
    } catch {
      throw UsageError(
        "\(option): \(FileError("write in", parent.path, error)); name another folder")
    }
  }
}

package struct MessageOptions: ParsableArguments {
  @Flag(help: "Print only the answer.") package var quiet = false
  @Flag(help: "Show no progress.") var noProgress = false

  package init() {}

  package var showsProgress: Bool { !quiet && !noProgress }
}

struct AnswerOptions: ParsableArguments {
  @Flag(help: "Show every column of the table.") var wide = false
  @Flag(help: "Say what the columns mean, what decides, what is doubtful, and what prices change.")
  var explain = false

  var width: Answer.Width { wide ? .wide : .narrow }

  /// - Parameter isQuiet: whether the user wants only the table and the conclusion.
  func detail(isQuiet: Bool) -> Answer.Detail {
    explain ? .explained : isQuiet ? .brief : .usual
  }

  /// Prints the answer on standard output, or on standard error as a table if rows fill the former.
  func show(
    _ summary: Summary, as format: Answer.Format, isQuiet: Bool, besideRows: Bool
  ) throws {
    let text = try Answer.render(
      summary, as: besideRows ? .table : format,
      style: besideRows ? .standardError : .standardOutput, width: width,
      detail: detail(isQuiet: isQuiet))
    if besideRows { Messages.show(text) } else { try StandardOutput().write(text) }
  }
}

/// `--output -`: standard output holds only the rows.
enum RowsOutput {
  /// - Parameter format: the answer's format. A table goes to standard error; `csv` is the rows.
  /// - Throws: `UsageError` if the answer or a recording needs a file.
  static func requireRoom(
    on output: String?, format: some RawRepresentable<String>, isRecorded: Bool = false
  ) throws {
    guard output == "-" else { return }
    if isRecorded {
      throw UsageError("--record needs a file; name a CSV file with --output")
    }
    guard ["table", "csv"].contains(format.rawValue) else {
      throw UsageError(
        "--format \(format.rawValue): with --output - the rows fill standard output;"
          + " name a file with --output")
    }
  }
}
