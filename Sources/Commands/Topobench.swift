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
      throw ExitCode(ExitStatus.usage.rawValue)
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
