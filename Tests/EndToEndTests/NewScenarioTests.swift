import Foundation
import Testing

@Suite("A new scenario for a data file")
struct NewScenarioTests {
  private let command = CommandRun()

  /// - Returns: the scenario, which `scenario check` accepts.
  private func scenario(for text: String, in file: String = "rows.csv") throws -> String {
    try command.write(text, to: file)
    try command.run(
      "scenario", "new", file, "--force", expecting: 0,
      saying: "Next: topobench --scenario ./rows.yaml")
    try command.run("scenario", "check", "./rows.yaml", expecting: 0)
    return try command.text("rows.yaml")
  }

  @Test func `the next command measures a scenario file without a suffix`() throws {
    try command.write("id,name\n1,A\n", to: "rows.csv")
    try command.run(
      "scenario", "new", "rows.csv", "--output", "rows", expecting: 0, saying: "--scenario ./rows")
    try command.run("scenario", "check", "./rows", expecting: 0)
  }
}
