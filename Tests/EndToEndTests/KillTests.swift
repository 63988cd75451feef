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
    let outcome = try soak("kills", "--trials", "15")
    #expect(outcome.output.contains("0 of 15 trials with problems"))
  }

  @Test func `a failing system call leaves no false row, and nothing behind`() throws {
    let outcome = try soak("calls", "--trials", "4")
    #expect(outcome.output.contains("; 0 with problems") || outcome.output.contains(": skipped"))
  }
}
