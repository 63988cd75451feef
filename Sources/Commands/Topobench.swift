package import ArgumentParser
import Foundation
import Harness
import Judging
public import Topologies

/// The command, for executables that add topologies of their own.
///
/// Example: `Snippets/own-topology.swift`.
public enum Topobench {
  /// Runs the command with this process's arguments, then exits.
  ///
  /// Each cell runs this executable again, so the executable must always reach this call. The
  /// calling thread waits: valgrind loses a process whose initial thread ends, as with top-level
  /// `await`.
  ///
  /// - Parameter added: topologies in addition to the built-in ones.
  public static func main(adding added: [TopologyDescriptor] = []) -> Never {
    KnownTopologies.add(added)
    main(running: RootCommand.self, replaced: RootCommand.replaced)
  }

  /// Runs another command in the same way.
  ///
  /// - Parameter replaced: former subcommands, and the command lines that replace them.
  package static func main(
    running root: any ParsableCommand.Type, replaced: [String: String] = [:]
  ) -> Never {
    StandardStreams.prepare()
    ChildProcess.dieWithParent()
    do {
      try Headroom.check()
    } catch {
      Messages.say("Error: \(error)")
      exit(ExitStatus.of(error).rawValue)
    }
    Task.detached { await runAndExit(root, replaced) }
    MainThread.refuseWork()
  }

  private static func runAndExit(
    _ root: any ParsableCommand.Type, _ replaced: [String: String]
  ) async -> Never {
    do {
      if let word = CommandLine.arguments.dropFirst().first, let now = replaced[word] {
        throw UsageError("'\(word)' is no longer a command. With the same options, type: \(now)")
      }
      try await run(parse(root), of: root)
      exit(ExitStatus.done.rawValue)
    } catch let status as ExitCode {
      exit(status.rawValue)
    } catch {
      Messages.say("Error: \(FileError.message(error))")
      exit(ExitStatus.of(error).rawValue)
    }
  }

  private static func parse(_ root: any ParsableCommand.Type) throws -> any ParsableCommand {
    do {
      return try root.parseAsRoot()
    } catch {
      try printHelp(of: root, requestedBy: error)
      Messages.say(root.fullMessage(for: error))
      throw ExitCode(.usage)
    }
  }

  private static func run(
    _ parsed: any ParsableCommand, of root: any ParsableCommand.Type
  ) async throws {
    do {
      if var command = parsed as? any AsyncParsableCommand { return try await command.run() }
      var command = parsed
      try command.run()
    } catch {
      // `--help` is parsed into a command that throws the help.
      if !(error is ExitCode) { try printHelp(of: root, requestedBy: error) }
      throw error
    }
  }

  /// - Throws: `ExitCode.success` after printing. Returns if the error asks for no help or version.
  private static func printHelp(
    of root: any ParsableCommand.Type, requestedBy error: any Error
  ) throws {
    guard root.exitCode(for: error).isSuccess else { return }
    try StandardOutput().write(root.fullMessage(for: error) + "\n", "the help")
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
      \(ExitStatus.help)
      """,
    version: Executable.versionWithRevision,
    groupedSubcommands: [
      CommandGroup(
        name: "Measure", subcommands: [RunCommand.self, ListCommand.self, ScenarioCommand.self]),
      CommandGroup(
        name: "Judge", subcommands: [GateCommand.self, DuetCommand.self, DoctorCommand.self]),
      CommandGroup(
        name: "Look",
        subcommands: [
          ReportCommand.self, CompareCommand.self, TraceCommand.self, ExportCommand.self,
        ]),
      CommandGroup(
        name: "Spread", subcommands: [PlanCommand.self, CellCommand.self, CollectCommand.self]),
    ],
    defaultSubcommand: RunCommand.self)

  /// For one release, the commands of the last one name what replaces them.
  static let replaced = [
    "count": "topobench --count", "findings": "scripts/lab findings",
    "sensitivity": "scripts/lab sensitivity",
  ]
}
