import ArgumentParser
import Foundation
import SQLiteStore
import Support

@main struct FaultSoak: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fault-soak",
    abstract: "Stories on a disk that fails, or loses its power.",
    subcommands: [Calls.self, Cuts.self, Kills.self, Tell.self])
}
