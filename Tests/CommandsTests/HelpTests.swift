import ArgumentParser
import Testing

@testable import Commands

// What people read and scripts may rely on. A change here is a change of the command.

@Suite struct HelpTests {
  @Test func `the command's help`() {
    let expected = """
      OVERVIEW: Measures which way of wiring contexts keeps an app's main queue free.

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

      USAGE: topobench <subcommand>

      OPTIONS:
        --version               Show the version.
        -h, --help              Show help information.

      SUBCOMMANDS:
        run (default)           Measure topologies in a scenario, and say which keeps
                                main free.
        list                    Show what there is: scenarios, topologies or metrics.
        plan                    Print the cells of a run in their order, and measure
                                nothing.
        cell                    Run one cell: its specification on standard input,
                                its document on standard output.
        collect                 Make one report of cells that were measured one by
                                one, or machine by machine.
        compare                 Hold two sets of reports against each other.
        gate                    Say whether a candidate's reports are a regression of
                                a baseline's, for scripts.
        duet                    Compare two builds, measured in turn, pair by pair,
                                in one session.
        doctor                  Say what would make results here doubtful, and what
                                can be seen here.
        findings                Say, as a page of Markdown, what came out of a full
                                run.
        report                  Make a page to look at: why each topology blocks.
        trace                   Draw what happened in recorded cells, on every queue,
                                for Perfetto.

        See 'topobench help <subcommand>' for detailed help.
      """
    #expect(RootCommand.helpMessage(columns: 80) == expected)
  }

  @Test func `the help of run`() {
    let expected = """
      OVERVIEW: Measure topologies in a scenario, and say which keeps main free.

      Each cell (scenario × topology × store × trial) runs in a process of its own;
      its row is on disk before the next starts. The answer goes to standard output,
      all else to standard error. Ctrl-C keeps what was measured.

      USAGE: topobench run <options>

      WHAT IS MEASURED:
        --scenario <name>       What is asked: a scenario's name or file. Repeatable.
        --topology <name>       A topology, or `all`. Repeatable. Default: those of
                                the founding question.
        --store <store>         How the coordinator locks: pool, serial or both.
                                (values: pool, serial, both; default: pool)
        --trials <n>            How often each is measured. Default: enough for a
                                verdict.
        --seed <n>              What order and stream of changes are drawn from.
                                (default: 1)
        --set <key=value>       A value in the place of a scenario's field; a list of
                                values sweeps it. Repeatable.
        --smoke                 At the size that a scenario states for tests.
        --scenarios-folder <dir>
                                A folder with scenarios.

      HOW IT IS MEASURED:
        --label <text>          What the rows are labelled with.
        --timeout <s>           The most seconds that a cell may take. (default: 60.0)
        --shard <i/n>           One machine's part of the run: whole rounds, every
                                N-th from the I-th on.
        --keep-awake            Keep the processors from sleeping while cells run, by
                                threads that run only where nothing else would: less
                                noise on virtual machines. Linux.

      WHERE IT GOES:
        --output <file>         The CSV file; `-` for standard output. Default:
                                results/<scenario>-<time>.csv.
        --force                 Write over files that exist.
        --resume                Go on with the interrupted run that --output names,
                                or begin it.
        --record                Record what happens in each cell, for `topobench
                                trace`.
        --keep-stores <dir>     Leave each cell's SQLite file in this folder.
        --disk <dir>            The folder on the disk to measure on; it must exist.
                                Default: the system's for temporary files.

      OPTIONS:
        --format <format>       How the answer is written. (values: table, markdown,
                                html, json, csv; default: table)
        --quiet                 Say nothing beside the answer.
        --no-progress           Draw no progress.
        --version               Show the version.
        -h, --help              Show help information.

      """
    #expect(RootCommand.helpMessage(for: RunCommand.self, columns: 80) == expected)
  }

  @Test(arguments: [
    "run", "list", "plan", "cell", "collect", "compare", "gate", "duet", "doctor",
    "findings", "report", "trace",
  ])
  func `every subcommand has a help that fits a terminal`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let help = RootCommand.helpMessage(for: command, columns: 80)
    #expect(help.contains("USAGE: topobench \(name)"))
    #expect(help.split(separator: "\n").filter { $0.count > 80 } == [])
  }

  @Test(arguments: ["compare", "gate", "report"])
  func `what takes two sides names their files alike`(name: String) throws {
    let command = try #require(
      RootCommand.configuration.subcommands.first { $0.configuration.commandName == name })
    let sides = """
        --baseline <file>       The CSV files of the baseline.
        --candidate <file>      The CSV files of the candidate.

      """
    #expect(RootCommand.helpMessage(for: command, columns: 80).contains(sides))
  }
}
