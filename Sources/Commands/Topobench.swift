import ArgumentParser
import Foundation
import Harness
import Queues
import Reports
public import Topologies

/// The command, for executables that add topologies of their own.
public enum Topobench {
  /// Runs the command with the arguments of this process, and ends it.
  ///
  /// - Parameter added: topologies beside the built-in ones. The executable is started again for
  ///   each cell, so it must come to this call each time.
  public static func main(adding added: [TopologyDescriptor] = []) async -> Never {
    ChildProcess.dieWithParent()
    known.withLock { $0 = Topologies.builtIn + added }
    do {
      var command = try RootCommand.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      exit(0)
    } catch {
      leave(because: error)
    }
  }

  /// The topologies that can be asked for by name.
  static var topologies: [TopologyDescriptor] { known.withLock { $0 } }

  private static let known = Lock<[TopologyDescriptor]>(Topologies.builtIn)

  /// Mistakes on the command line end with 64, everything else that goes wrong with 1; help and
  /// version with 0.
  private static func leave(because error: any Error) -> Never {
    switch error {
    case let status as ExitCode: exit(status.rawValue)
    case let error where RootCommand.isUsage(error): Messages.error("\(error)", status: .usage)
    case let error as DuetMismatch: Messages.error("\(error)", status: .baseline)
    case let error where RootCommand.exitCode(for: error) == .failure && !(error is CleanExit):
      Messages.error("\(error)", status: .failed)
    default: RootCommand.exit(withError: error)
    }
  }
}

struct RootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topobench",
    abstract: "Measures which way of wiring contexts keeps an app's main queue free.",
    discussion: """
      Examples:
        topobench --scenario 5000-cities
        topobench --scenario 5000-cities --topology all --store both --trials 9
        topobench --scenario 5000-cities --set changes.per_save=[50,500]
        topobench --scenario my-list.yaml --keep-stores stores --output mine.csv
        topobench compare old.csv new.csv
        topobench gate --baseline old.csv --candidate new.csv
        topobench list scenarios

      Without a subcommand it runs: `topobench run --help` shows its options.

      Exit status:
        0    done
        1    topobench could not do its work
        2    a regression
        3    a cell was wrong, crashed or ran out of time
        4    inconclusive, or more than a tenth of the cells are suspect
        5    the baseline of a comparison cannot be used
        6    nothing was compared
        64   the command line, a scenario, its data or a policy is wrong
        130  interrupted
      """,
    version: version,
    subcommands: [
      RunCommand.self, ListCommand.self, PlanCommand.self, CellCommand.self, CollectCommand.self,
      CompareCommand.self, GateCommand.self, DuetCommand.self, DoctorCommand.self,
      FindingsCommand.self, ReportCommand.self, TraceCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  static let version = "0.1.0"
}

extension RootCommand {
  /// Whether a mistake is the caller's.
  fileprivate static func isUsage(_ error: any Error) -> Bool {
    error is UsageError || isScenarioError(error)
  }
}

/// What is said beside the results, on standard error.
enum Messages {
  /// - Parameter text: one line or more; what came into it from files or the command line is shown,
  ///   and not obeyed by a terminal.
  static func say(_ text: String) {
    let style = TextStyle.standardError
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    show(lines.map { style.printable(String($0)) }.joined(separator: "\n"))
  }

  /// - Parameter text: that a report has made for this terminal, colours and all.
  static func show(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }

  static func error(_ text: String, status: ExitStatus) -> Never {
    say("Error: \(text)")
    exit(status.rawValue)
  }
}
