import Foundation
import Testing

/// Short forms of what `scripts/soak --harness` does for hours.
@Suite("Ended runs and failing system calls", .serialized, .timeLimit(.minutes(10)))
struct KillTests {
  private let command = CommandRun()

  private func soak(_ arguments: String...) throws -> CommandRun.Outcome {
    let outcome = try command.run(arguments, command: "harness-soak", expecting: 0)
    print(outcome.output)
    return outcome
  }

  @Test func `a run that is ended at any moment resumes without a lost or false row`() throws {
    let outcome = try soak("kills", "--trials", "5")
    #expect(outcome.output.contains("0 of 5 trials with problems"))
  }

  @Test func `a process group that is ended as a whole leaves no false row`() throws {
    let outcome = try soak("kills", "--trials", "1", "--seed", "47")
    #expect(outcome.output.contains("run, group: signal 9: 1"))
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

  /// Another run may count another thread's calls.
  @Test(.enabled("strace cannot trace here") { canTrace() })
  func `a repeated fault prints the calls that failed, with their files`() throws {
    let outcome = try soak("calls", "--fault", "runner/fsync/1/EIO")
    #expect(outcome.output.contains(/failed: [0-9]+ +fsync\([0-9]+<\/.+>\) += -1 EIO .*INJECTED/))
  }

  @Test(.enabled("strace cannot trace here") { canTrace() })
  func `without memory for the system's loader a run ends by SIGSEGV`() throws {
    let outcome = try soak("calls", "--fault", "runner/mmap/1/EIO")
    #expect(outcome.output.contains("runner/mmap/1/EIO: signal \(SIGSEGV)\n"))
  }

  @Test(.enabled("strace cannot trace here") { canTrace() })
  func `another signal after a failing mapping is a problem`() throws {
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
      "chmod +x topobench; ./harness-soak calls --fault runner/mmap/9999/EIO", expecting: 1)
    #expect(outcome.output.contains("it ended with signal \(SIGILL)\n"), "\(outcome.output)")
  }
}
