import Foundation
import Measurement
import Testing

/// Runs the lines that `Documentation/How-to/CI.md` and its action print, without the installation.
@Suite("The lines for CI")
struct CIPageTests {
  private let command = CommandRun()

  private func cells(_ run: String) -> [CellResult] {
    (1...8).map { trial in
      CellResult.sample(run, trial: trial) { $0.metrics["main_statements"] = 100 }
    }
  }

  private func page(_ name: String) throws -> String {
    let file = CommandRun.root.appendingPathComponent("Documentation/How-to/\(name)")
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The step that compares, after the one that measures.
  private func step() throws -> String {
    let block = try #require(try page("CI.md").split(separator: "```sh\n").dropFirst().first)
    let lines = try #require(block.split(separator: "```").first).split(separator: "\n")
    return try #require(lines.last { $0.contains(" gate ") }).description
  }

  @Test func `the step passes with a baseline, and fails without one or with a dangling link`()
    throws
  {
    try command.makeFolder("results")
    try command.makeFolder(".topobench")
    try command.write(cells("new"), to: ".topobench/candidate.csv")
    let step = try step()
    try command.shell(step, expecting: 5, saying: "--update-baseline")
    try command.link("results/baseline.csv", to: "gone.csv")
    try command.shell(step, expecting: 5, saying: "--update-baseline")
    try FileManager.default.removeItem(
      at: command.folder.appendingPathComponent("results/baseline.csv"))
    try command.write(cells("old"), to: "results/baseline.csv")
    try command.shell(step, expecting: 0)
  }

  /// The last step of the action that runs a script.
  private func actionStep() throws -> String {
    let text = try #require(try page("CI/action.yml").components(separatedBy: "run: |\n").last)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.isEmpty || $0.hasPrefix("        ") }.joined(separator: "\n")
  }

  /// A repository whose `main` may have a baseline, and a clone as GitHub makes it.
  private func prepare(mainHasBaseline: Bool) throws {
    try command.makeFolder("temp/topobench/bin")
    try command.link(
      "temp/topobench/bin/topobench", to: CommandRun.executable("topobench").path)
    try command.write(cells("new"), to: "temp/candidate.csv")
    try command.write(cells("old"), to: "baseline.csv")
    try command.shell(
      """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=a
      git init --quiet --initial-branch main origin
      touch origin/file
      \(mainHasBaseline ? "mkdir origin/results; cp baseline.csv origin/results" : "")
      git -C origin add --all
      git -C origin commit --quiet --message first
      git clone --quiet "file://$PWD/origin" work
      """, expecting: 0)
  }

  private func action(
    _ before: String = "true", base: String = "main", baseline: String = "results/baseline.csv",
    expecting status: Int32,
    saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.write(try actionStep(), to: "step.sh")
    return try command.shell(
      """
      export RUNNER_TEMP=$PWD/temp GITHUB_STEP_SUMMARY=$PWD/summary GITHUB_BASE_REF=\(base)
      rm -rf temp/target; git -C work worktree prune
      export BASELINE=\(baseline) OPTIONS=""
      cd work && \(before) && bash -e ../step.sh
      """, expecting: status, saying: words)
  }

  @Test func `the action lets a first pull request pass, and says how to make the baseline`() throws
  {
    try prepare(mainHasBaseline: false)
    #expect(try action(expecting: 0).output.contains("--update-baseline"))
    _ = try action(base: "''", expecting: 5, saying: "--update-baseline")
    let made = "mkdir results && cp ../baseline.csv results"
    #expect(try action(made, expecting: 0).output.contains("Pass: "))
  }

  @Test func `the action fails if a pull request removes the baseline or makes it a dangling link`()
    throws
  {
    try prepare(mainHasBaseline: true)
    #expect(try action(expecting: 0).output.contains("Pass: "))
    _ = try action("rm results/baseline.csv", expecting: 5, saying: "--update-baseline")
    _ = try action("ln -s gone results/baseline.csv", expecting: 5, saying: "--update-baseline")
    _ = try action(base: "no-such-branch", expecting: 5)
  }

  @Test(arguments: ["$PWD/work/results/baseline.csv", "results//baseline.csv", "link/baseline.csv"])
  func `the action finds the target's baseline by any of its paths`(path: String) throws {
    try prepare(mainHasBaseline: true)
    try command.shell(
      """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=a
      ln -s results origin/link
      git -C origin add --all
      git -C origin commit --quiet --message link
      git -C work pull --quiet
      """, expecting: 0)
    _ = try action(
      "rm results/baseline.csv", baseline: path, expecting: 5, saying: "cannot be read")
  }

  @Test func `the action fails if a first baseline is a dangling link`() throws {
    try prepare(mainHasBaseline: false)
    let made = "mkdir results && ln -s gone results/baseline.csv"
    _ = try action(made, expecting: 5, saying: "--update-baseline")
  }
}
