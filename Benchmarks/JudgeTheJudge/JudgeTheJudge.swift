import ArgumentParser

// The judge judged: how often it cries wolf, and how often it sees what is there.
//
//   pool   pairs of cells of one program, from fresh processes, in time order,
//          or of it and of it slowed                                            ─▶ CSV files
//   calibrate   what slowdown makes a topology so much slower, measured
//   draw   pairs from the pool, their labels flipped by chance: nothing differs,
//          and whoever says otherwise is wrong                                  ─▶ rates
//          with slowed pairs in the place of one topology's: who passes them, misses them
//   tally  what real duets decided                                              ─▶ rates
//
// scripts/judge-the-judge runs them one after another, and goes on where it was interrupted.

@main
struct JudgeTheJudge: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge-the-judge",
    abstract: "Measure the error rates of gates and duets.",
    subcommands: [PoolCommand.self, CalibrateCommand.self, DrawCommand.self, TallyCommand.self])
}
