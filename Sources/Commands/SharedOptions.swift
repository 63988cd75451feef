import ArgumentParser
import Harness
import SQLiteStore

// Options that several commands have in common.

/// Scenarios, topologies and store modes.
struct TargetOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Scenario name or file. Repeatable.", valueName: "name"))
  var scenario: [String] = []
  @Option(
    help: ArgumentHelp(
      "Topology, or `all`. Repeatable. Default: those of the founding question.", valueName: "name")
  )
  var topology: [String] = []
  @Option(help: "Store mode: pool, serial or both.")
  var store: StoreChoice = .pool
  @Option(help: ArgumentHelp("Seed for the order of cells and changes.", valueName: "n"))
  var seed: UInt64 = 1
  @Option(
    help: ArgumentHelp(
      "Set a scenario field; a list of values sweeps it. Repeatable.", valueName: "key=value"))
  var set: [String] = []
  @Option(help: ArgumentHelp("Folder with scenarios.", valueName: "dir"))
  var scenariosFolder: String?
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

struct TimeLimitOption: ParsableArguments {
  @Option(help: ArgumentHelp("Time limit per cell, in seconds.", valueName: "s"))
  var timeout: Double = 60

  /// A day.
  static let longest: Double = 86_400

  var duration: Duration { .seconds(timeout) }

  func validate() throws {
    guard timeout > 0, timeout <= Self.longest else {
      throw UsageError("--timeout: \(timeout) is not a number of seconds above 0, up to 86400")
    }
  }
}

struct DiskOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Existing folder on the disk to measure. Default: the system's folder for temporary files.",
      valueName: "dir"))
  var disk: String?
}

struct MessageOptions: ParsableArguments {
  @Flag(help: "Print only the answer.") var quiet = false
  @Flag(help: "Show no progress.") var noProgress = false

  var showsProgress: Bool { !quiet && !noProgress }
}
