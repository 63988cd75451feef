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

  /// The script of the action's step whose script has these words.
  private func actionStep(_ words: String) throws -> String {
    let scripts = try page("CI/action.yml").components(separatedBy: "run: |\n").dropFirst()
    let text = try #require(scripts.first { $0.contains(words) })
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.isEmpty || $0.hasPrefix("        ") }.joined(separator: "\n")
  }

  /// Runs a step of the action as GitHub runs `shell: bash`.
  private func run(
    step words: String, after before: String, in folder: String = ".", expecting status: Int32,
    saying said: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.write(try actionStep(words), to: "step.sh")
    return try command.shell(
      """
      export RUNNER_TEMP=$PWD/temp GITHUB_STEP_SUMMARY=$PWD/summary GITHUB_OUTPUT=$PWD/output
      steps=$PWD
      cd \(folder) && \(before) && bash --noprofile --norc -eo pipefail "$steps/step.sh"
      """, expecting: status, saying: said)
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
    expecting status: Int32, saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    let inputs = "export GITHUB_BASE_REF=\(base) BASELINE=\(baseline) OPTIONS=''"
    return try run(
      step: "gate github", after: "\(inputs) && \(before)", in: "work", expecting: status,
      saying: words)
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

  @Test(arguments: [
    "$PWD/results/baseline.csv", "results//baseline.csv", "link/baseline.csv",
    "../work/results/baseline.csv",
  ])
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

  /// As a runner of one's own does.
  @Test func `the action lets a first pull request pass again in a clone that is kept`() throws {
    try prepare(mainHasBaseline: false)
    _ = try action(expecting: 0)
    _ = try action(expecting: 0)
    _ = try action("rm -r \"$RUNNER_TEMP\"/target.*", expecting: 0)
  }

  @Test(arguments: ["$first", "main", "v1"])
  func `the action takes topobench of a commit, a branch or a tag`(revision: String) throws {
    try command.shell(
      """
      set -e
      export GIT_CONFIG_GLOBAL=/dev/null GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=a
      git init --quiet --initial-branch main origin
      git -C origin commit --quiet --allow-empty --message first
      git -C origin rev-parse HEAD > first
      git -C origin tag v1
      git -C origin commit --quiet --allow-empty --message second
      git -C origin rev-parse HEAD > second
      mkdir temp
      """, expecting: 0)
    let inputs = "first=$(cat first) && export REPOSITORY=file://$PWD/origin REVISION=\(revision)"
    _ = try run(step: "FETCH_HEAD", after: inputs, expecting: 0)
    let commit = try command.text(revision == "main" ? "second" : "first")
    #expect(try command.text("output") == "sha=\(commit)")
  }

  @Test func `the action takes no topobench unless its revision is named`() throws {
    let inputs = "export REPOSITORY=file://$PWD/origin REVISION=''"
    let outcome = try run(step: "FETCH_HEAD", after: inputs, expecting: 1)
    #expect(outcome.output.contains("::error::revision: name a commit of topobench"))
    #expect(!command.exists("output") && !command.exists("temp"))
  }

  @Test func `the action keeps a build for one Swift and one system`() throws {
    try command.makeFolder("bin")
    try command.write(
      "#!/bin/sh\necho 'Swift version 6.2.3 (a, b)'\necho Target\n", to: "bin/swift")
    _ = try run(
      step: "os-release", after: "chmod +x bin/swift && export PATH=$PWD/bin:$PATH", expecting: 0)
    let system = try command.shell(". /etc/os-release && echo $ID $VERSION_ID", expecting: 0)
    let name = "\(system.output.dropLast()) Swift version 6.2.3 (a b)"
    #expect(try command.text("output") == "name=\(name)\n")
    let key = try #require(try page("CI/action.yml").firstMatch(of: /\n +key: (.*)/)).output.1
    #expect(key.contains("${{ steps.image.outputs.name }}"))
  }

  @Test(arguments: [(0, 0), (3, 0), (4, 0), (1, 1), (64, 64), (130, 130)])
  func `the action leaves bad cells and noise to the gate, and ends at other errors`(
    measuring: Int, status: Int32
  ) throws {
    try command.makeFolder("temp/topobench/bin")
    try command.write("#!/bin/sh\nexit \(measuring)\n", to: "temp/topobench/bin/topobench")
    let inputs =
      "chmod +x temp/topobench/bin/topobench && export SCENARIO=a TRIALS=8 OPTIONS='--store both'"
    _ = try run(step: "--trials", after: inputs, expecting: status)
  }
}
