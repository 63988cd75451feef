import ArgumentParser

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
      RunCommand.self, CountCommand.self, SensitivityCommand.self,
      ListCommand.self, ScenarioCommand.self, PlanCommand.self,
      CellCommand.self,
      CollectCommand.self,
      CompareCommand.self, GateCommand.self, DuetCommand.self, DoctorCommand.self,
      FindingsCommand.self, ReportCommand.self, ExportCommand.self, TraceCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}
