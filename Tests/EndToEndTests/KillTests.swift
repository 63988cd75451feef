import Foundation
import Testing

/// Short forms of what `scripts/soak --harness` does for hours.
@Suite("Ended runs and failing system calls", .serialized, .timeLimit(.minutes(10)))
struct KillTests {
  private let command = CommandRun()

  private static func traces() -> Bool {
    let arguments = ["trace", "--log", "log", "--", "/bin/true"]
    return (try? CommandRun().run(arguments, command: "harness-soak").status) == 0
  }

  private func soak(_ arguments: String...) throws -> CommandRun.Outcome {
    let outcome = try command.run(arguments, command: "harness-soak", expecting: 0)
    print(outcome.output)
    return outcome
  }

  @Test func `a run that is ended at any moment resumes without a lost or false row`() throws {
    let outcome = try soak("kills", "--trials", "5")
    #expect(outcome.output.contains("0 of 5 trials with problems"))
  }

  @Test(.enabled("nothing can be traced here") { traces() })
  func `a process group that is ended as a whole leaves no false row`() throws {
    let outcome = try soak("kills", "--trials", "1", "--seed", "23")
    #expect(outcome.output.contains("recordedRun, group: signal 9: 1"))
  }

  @Test func `as many ends as asked for come before the command's own`() throws {
    let outcome = try soak("kills", "--ends", "6", "--seed", "1")
    let ends = try #require(outcome.output.firstMatch(of: /([0-9]+) of them before the command's/))
    #expect(try #require(Int(ends.1)) >= 6)
    #expect(outcome.output.contains(/0 of [1-9][0-9]* trials with problems/))
  }

  @Test func `a failing system call leaves no false row, and nothing behind`() throws {
    let outcome = try soak("calls", "--trials", "4")
    #expect(outcome.output.contains("; 0 with problems") || outcome.output.contains(": skipped"))
  }

  @Test(
    .enabled("nothing can be traced here") { traces() },
    arguments: [
      ["kills", "--trials", "3", "--seed", "11"], ["calls", "--trials", "6", "--seed", "1"],
    ])
  func `a seed disturbs the same call each time`(arguments: [String]) throws {
    func drawn() throws -> Set<String> {
      let output = try command.run(arguments + ["--echo"], command: "harness-soak", expecting: 0)
        .output
      // The order of threads may change the effect of an end, and the ends after it.
      let draws = output.matches(of: #/(?m)^seed [0-9]+: .*?: /#)
      return Set(draws.map { String($0.output) })
    }
    let first = try drawn()
    #expect(first.count == Int(arguments[2]), "\(first)")
    #expect(try drawn() == first)
  }

  @Test(
    .enabled("nothing can be traced here") { traces() },
    arguments: [
      // The first memory of the system's loader.
      ("run:0:mmap::1:EIO", "signal 11\n"),
      (
        "run:0:fsync:a.csv:1:EIO",
        "status 1\n0:fsync:a.csv:1 = EIO, for '[file]'\nError: cannot write '"
      ),
      ("run:2:pwrite64:tmp/topobench-#/cell-#/store-#.sqlite-wal:1:EIO", "status 3\n"),
      ("run:9:pwrite64:no-file:1:EIO", "too few calls\n"),
    ])
  func `a fault fails one call`(fault: String, end: String) throws {
    let outcome = try soak("calls", "--fault", fault)
    let output = outcome.output.replacing(/'\/.+\/a.csv'/, with: "'[file]'")
    #expect(output.contains("\(fault): \(end)"), "\(outcome.output)")
  }

  @Test(
    .enabled("nothing can be traced here") { traces() },
    arguments: ["run:0:mmap:none:1:EIO", "run:0:openat:/:1:EMFILE"])
  func `another signal after a failing call is a problem`(fault: String) throws {
    // It finds the command beside itself.
    let program = command.folder.appendingPathComponent("harness-soak")
    try FileManager.default.copyItem(at: CommandRun.executable("harness-soak"), to: program)
    try command.write(
      """
      #!/bin/bash
      while read -r name number; do
        if [[ $name == TracerPid: && $number != 0 ]]; then kill -ILL $$; fi
      done <"/proc/$$/status"
      exec '\(CommandRun.executable("topobench").path)' "$@"
      """, to: "topobench")
    let outcome = try command.shell(
      "chmod +x topobench; ./harness-soak calls --fault \(fault)", expecting: 1)
    #expect(outcome.output.contains("it ended with signal \(SIGILL)\n"), "\(outcome.output)")
  }
}
