import ArgumentParser
import Commands

/// The research behind the committed pages. Users of topobench need none of it.
struct LabCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "topobench-lab",
    abstract: "Write the project's pages of findings, and measure what they rest on.",
    discussion: """
      Examples:
        scripts/lab findings results/full/*.csv > findings.md
        scripts/lab sensitivity --scenario 5000-cities
        scripts/lab judge draw results/judge/pairs.csv --draws 100
      """,
    // The sensitivity's cells run this executable.
    subcommands: [
      FindingsCommand.self, SensitivityCommand.self, JudgeCommand.self, CellCommand.self,
    ])
}
