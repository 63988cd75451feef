import ArgumentParser
import Foundation
import Harness
public import Topologies

/// The command, for executables that add topologies of their own.
public enum Topobench {
  /// Runs the command with this process's arguments, then exits.
  ///
  /// Each cell runs this executable again, so the executable must always reach this call. The
  /// calling thread waits: valgrind loses a process whose initial thread ends, as with top-level
  /// `await`.
  ///
  /// - Parameter added: topologies in addition to the built-in ones.
  public static func main(adding added: [TopologyDescriptor] = []) -> Never {
    StandardStreams.prepare()
    ChildProcess.dieWithParent()
    Task.detached { await runAndExit(adding: added) }
    while true { pause() }
  }

  private static func runAndExit(adding added: [TopologyDescriptor]) async -> Never {
    KnownTopologies.add(added)
    do {
      try await run(parse())
      exit(ExitStatus.done.rawValue)
    } catch let status as ExitCode {
      exit(status.rawValue)
    } catch {
      Messages.say("Error: \(FileError.message(error))")
      exit(ExitStatus.of(error).rawValue)
    }
  }

  private static func parse() throws -> any ParsableCommand {
    do {
      return try RootCommand.parseAsRoot()
    } catch {
      try printHelp(requestedBy: error)
      Messages.say(RootCommand.fullMessage(for: error))
      throw ExitCode(.usage)
    }
  }

  private static func run(_ parsed: any ParsableCommand) async throws {
    do {
      if var command = parsed as? any AsyncParsableCommand { return try await command.run() }
      var command = parsed
      try command.run()
    } catch {
      // `--help` is parsed into a command that throws the help.
      if !(error is ExitCode) { try printHelp(requestedBy: error) }
      throw error
    }
  }

  /// - Throws: `ExitCode.success` after printing. Returns if the error asks for no help or version.
  private static func printHelp(requestedBy error: any Error) throws {
    guard RootCommand.exitCode(for: error).isSuccess else { return }
    try StandardOutput().write(RootCommand.fullMessage(for: error) + "\n", "the help")
    throw ExitCode.success
  }
}

struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topobench",
    abstract: "Measure which wiring of contexts keeps an app's main queue free.",
    discussion: """
      Examples:
        topobench --scenario 5000-cities
        topobench --scenario 5000-cities --topology all --store both --trials 9
        topobench --scenario 5000-cities --set 'changes.per_save=[50,500]'
        topobench --scenario my-list.yaml --keep-stores stores --output mine.csv
        topobench compare baseline.csv candidate.csv
        topobench gate --baseline baseline.csv --candidate candidate.csv
        topobench list scenarios

      Without a subcommand, topobench runs `topobench run`.

      Exit status:
        0    done
        1    topobench failed
        2    a regression
        3    a cell was wrong, crashed or timed out
        4    inconclusive, discarded, or more than 10 % of the cells are suspect
        5    the baseline of a comparison cannot be used
        6    nothing was compared
        64   wrong command line, scenario, data or policy
        130  interrupted
      """,
    version: Executable.version,
    subcommands: [
      RunCommand.self, CountCommand.self, SensitivityCommand.self, ListCommand.self,
      ScenarioCommand.self, PlanCommand.self, CellCommand.self, CollectCommand.self,
      CompareCommand.self, GateCommand.self, DuetCommand.self, DoctorCommand.self,
      FindingsCommand.self, ReportCommand.self, ExportCommand.self, TraceCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}
