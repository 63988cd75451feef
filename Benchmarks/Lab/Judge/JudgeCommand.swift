import ArgumentParser

// Measures the judge's own error rates: false alarms and misses.
//
//   pool   pairs of cells of one program, or of it and of a slowed copy         ─▶ CSV files
//   calibrate   the slowdown that makes a topology slower by a given percentage
//   draw   pairs from the pool with randomly exchanged labels: nothing differs,
//          so every difference found is a false alarm                           ─▶ rates
//          slowed pairs instead of one topology's: every pass is a miss
//   rank   rankings of equal topologies from the pool: every separation is false ─▶ rates
//   tally  decisions of real duets                                              ─▶ rates
//
// scripts/judge-the-judge runs these commands in turn, and resumes after an interruption.

struct JudgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge",
    abstract: "Measure the error rates of gates, duets and rankings.",
    subcommands: [
      PoolCommand.self, CalibrateCommand.self, DrawCommand.self, RankCommand.self,
      TallyCommand.self,
    ])
}
