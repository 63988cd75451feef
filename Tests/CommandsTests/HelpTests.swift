import ArgumentParser
import Foundation
import Testing

@testable import Commands

@Suite struct HelpTests {
  @Test func `the command's help`() {
    let expected = """
      OVERVIEW: Measure which wiring of contexts keeps an app's main queue free.

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
        0    done; of gate or duet: nothing worse
        1    topobench could not do its work, or a candidate cannot be read
        2    a regression
        3    a cell was wrong, crashed or timed out
        4    too noisy to tell, discarded, or over 10 % of the cells suspect
        5    the baseline of a comparison cannot be read or used
        6    nothing was compared
        64   wrong command line, scenario, data or policy
        130  interrupted
      Where several apply, the first of 130, 64, 1, 5, 3, 6, 2, 4.

      USAGE: topobench <subcommand>

      OPTIONS:
        --version               Show the version.
        -h, --help              Show help information.

      MEASURE SUBCOMMANDS:
        run (default)           Measure topologies in a scenario, and show which
                                keeps main free.
        list                    List scenarios, topologies or metrics.
        scenario                Make or check a scenario, or print its schema.

      JUDGE SUBCOMMANDS:
        gate                    Check a candidate's reports for regressions, for
                                scripts.
        duet                    Compare two builds, measured in turn, pair by pair.
        doctor                  Check this machine, and measure how small a
                                regression it can find.

      LOOK SUBCOMMANDS:
        report                  Make an HTML page that shows why each topology blocks.
        compare                 Compare reports with a baseline.
        trace                   Export recorded cells as a trace for Perfetto.
        export                  Write medians for tools that follow them over commits.

      SPREAD SUBCOMMANDS:
        plan                    Print the cells of a run in their order, without
                                measuring.
        cell                    Run one cell: specification on standard input,
                                document on standard output.
        collect                 Merge cells and shards of one run into one report.

        See 'topobench help <subcommand>' for detailed help.
      """
    #expect(RootCommand.helpMessage(columns: 80) == expected)
  }

  @Test func `the help of run`() {
    let expected = """
      OVERVIEW: Measure topologies in a scenario, and show which keeps main free.

      Each cell (scenario × topology × store × trial) runs in its own process. Its
      row is written before the next cell starts. The answer goes to standard output,
      messages to standard error. Ctrl-C keeps the finished cells.

      Examples:
        topobench --scenario 5000-cities
        topobench --scenario 5000-cities --topology all --output all.csv
        topobench --scenario 5000-cities --count --output counts.csv

      USAGE: topobench run <options>

      WHAT IS MEASURED:
        --scenario <name>       Scenario name or file. Repeatable.
        --topology <name>       Topology, or `all`. Repeatable. Default: those of the
                                founding question.
        --store <store>         Store mode: pool, serial or both. (values: pool,
                                serial, both; default: pool)
        --seed <n>              Seed for the order of cells and changes. (default: 1)
        --set <key=value>       Set a scenario field; a list of values sweeps it.
                                Repeatable.
        --scenarios-folder <dir>
                                Folder with scenarios.
        --trials <n>            Processes per topology and store mode. Default:
                                enough for a verdict.
        --smoke                 Use each scenario's small size, for tests.

      HOW IT IS MEASURED:
        --label <text>          Label of every row.
        --timeout <s>           Time limit per cell, in seconds. (default: 60.0)
        --shard <i/n>           Measure one machine's share: every N-th round, from
                                the I-th on.
        --keep-awake            Keep the processors awake with threads of idle
                                priority. Less noise on virtual machines. Linux only.
        --count                 Count instructions under valgrind instead of times:
                                each cell once, on any machine.
        --parts                 With --count: count merge, list, push-up, fetch, save
                                and fault by themselves.

      WHERE IT GOES:
        --output <file>         CSV file to write; `-` for standard output, with the
                                answer on standard error. Default:
                                results/<scenario>-<time>.csv.
        --force                 Overwrite existing files.
        --resume                Continue the interrupted run in --output, or start it.
        --record                Record each cell's timeline, for `topobench trace`.
        --keep-stores <dir>     Keep each cell's SQLite file in this folder.
        --disk <dir>            Existing folder on the disk to measure. Default: the
                                system's folder for temporary files.

      OPTIONS:
        --format <format>       Format of the answer. (values: table, markdown, html,
                                json, csv; default: table)
        --wide                  Show every column of the table.
        --explain               Say what the columns mean, what decides, what is
                                doubtful, and what prices change.
        --quiet                 Print only the answer.
        --no-progress           Show no progress.
        --version               Show the version.
        -h, --help              Show help information.

      """
    #expect(RootCommand.helpMessage(for: RunCommand.self, columns: 80) == expected)
  }

  @Test(arguments: [
    "run", "list", "plan", "cell", "collect", "compare", "gate", "duet", "doctor", "report",
    "export",
    "trace",
  ])
  func `the help of every subcommand fits a terminal of 80 columns`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let help = RootCommand.helpMessage(for: command, columns: 80)
    #expect(help.contains("USAGE: topobench \(name)"))
    #expect(help.contains("Examples:\n  topobench "))
    #expect(help.split(separator: "\n").filter { $0.count > 80 } == [])
  }

  @Test func `compare's help promises intervals for one candidate alone`() {
    let help = RootCommand.helpMessage(for: CompareCommand.self, columns: 1000)
    #expect(help.contains("For one candidate, each change has its 95 % interval."))
  }

  @Test func `compare's help says that changes do not decide its exit status`() {
    let help = RootCommand.helpMessage(for: CompareCommand.self, columns: 1000)
    #expect(
      help.contains(
        "Exit status 0 whatever changed, but 3 if cells failed and nothing was left to compare"))
  }

  @Test(arguments: HelpTests.examples)
  func `each example of the help has the options that its command needs`(line: String) throws {
    let words = line.split(separator: " ").dropFirst().map {
      // A duet looks for its binaries.
      $0.hasSuffix("/topobench") ? "/bin/sh" : $0.trimmingCharacters(in: ["'"])
    }
    let command = try RootCommand.parseAsRoot(words)
    // Without a required option, this is the command that prints the error.
    #expect(type(of: command).configuration.commandName == Self.subcommand(of: line))
  }

  @Test func `the help has examples`() {
    #expect(Self.examples.count > 30)
  }

  private static func subcommand(of line: String) -> String {
    let words = line.split(separator: " ").dropFirst().prefix { !$0.hasPrefix("-") }
    return String((words.first == "scenario" ? words.dropFirst().first : words.first) ?? "run")
  }

  /// The calls of topobench, of the command and of all subcommands.
  static let examples = examples(of: RootCommand.self)

  private static func examples(of command: any ParsableCommand.Type) -> [String] {
    let lines = command.configuration.discussion
      .replacing(/\\\n */, with: "").split(separator: "\n")
      .flatMap { $0.split(separator: "|") }
    return lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      $0.hasPrefix("topobench ")
    }.map { String($0.split(separator: " > ")[0]) }
      + command.configuration.subcommands.flatMap(examples)
  }

  @Test(arguments: ["compare", "gate", "report"])
  func `commands with two sides name their files alike`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let sides = """
        --baseline <file>       CSV files of the baseline.
        --candidate <file>      CSV files of the candidate.

      """
    #expect(RootCommand.helpMessage(for: command, columns: 80).contains(sides))
  }
}
