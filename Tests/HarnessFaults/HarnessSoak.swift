import ArgumentParser
import Foundation

@main struct HarnessSoak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "harness-soak",
    abstract: "Runs that are killed, or whose system calls fail.",
    subcommands: [Kills.self, Calls.self, Trace.self])
}

/// The command that is tested, built beside this program.
enum Tested {
  static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "topobench").path

  private static let scenario = URL(filePath: #filePath)
    .appending(path: "../../Scenarios/few-cities.yaml").standardizedFileURL.path

  static let trials = 3

  /// Contexts, and a peer.
  static let topologies = ["main-only", "grdb-pool"]

  static let work = [
    "--scenario", scenario, "--set", "data.rows=20", "--set", "repeat_for_ms=1",
  ]
}
