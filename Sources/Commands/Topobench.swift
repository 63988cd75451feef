import ArgumentParser
import Foundation
import Harness
public import Topologies
import Workload

/// The command, for executables that add topologies of their own.
public enum Topobench {
  /// Runs the command with this process's arguments, then exits.
  ///
  /// Each cell runs this executable again, so the executable must always reach this call.
  ///
  /// - Parameter added: topologies in addition to the built-in ones.
  public static func main(adding added: [TopologyDescriptor] = []) async -> Never {
    ChildProcess.dieWithParent()
    KnownTopologies.add(added)
    let command = parse()
    do {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        var command = command
        try command.run()
      }
      exit(0)
    } catch let status as ExitCode {
      exit(status.rawValue)
    } catch {
      Messages.fail("\(error)", status: status(of: error))
    }
  }

  /// Exits with 0 after help or the version, and with 64 for a wrong command line.
  private static func parse() -> any ParsableCommand {
    do {
      return try RootCommand.parseAsRoot()
    } catch {
      if RootCommand.exitCode(for: error).isSuccess { RootCommand.exit(withError: error) }
      Messages.say(RootCommand.fullMessage(for: error))
      exit(ExitStatus.usage.rawValue)
    }
  }

  private static func status(of error: any Error) -> ExitStatus {
    switch error {
    case is UsageError, is ScenarioError: .usage
    case is DuetMismatch: .baseline
    default: .failed
    }
  }
}
