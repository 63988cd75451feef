import Foundation
import Testing

@Suite("Limits of the surroundings", .serialized, .timeLimit(.minutes(3)))
struct LimitTests {
  private let command = CommandRun()

  /// The run's status is 124 if it hangs.
  private func run(under limit: String, timeout: Int = 60) throws -> CommandRun.Outcome {
    try command.shell(
      """
      \(limit); timeout -k 1 \(timeout) "$topobench" --scenario \(CommandRun.fewCities) \
        --topology main-only --trials 1 --quiet --output a.csv --force
      """)
  }

  @Test(arguments: [5, 10, 14, 19, 44])
  func `too few descriptors are an error that names the limit`(limit: Int) throws {
    let outcome = try run(under: "ulimit -n \(limit)")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("ulimit -n"), "\(outcome.errors)")
  }

  @Test func `with every number of descriptors a run ends by itself`() throws {
    for limit in stride(from: 60, through: 84, by: 8) {
      let outcome = try run(under: "ulimit -n \(limit)")
      #expect([0, 1].contains(outcome.status), "\(limit): \(outcome.status) \(outcome.errors)")
    }
  }

  @Test(arguments: [64, 256])
  func `too small stacks are an error that names the limit`(kibibytes: Int) throws {
    let outcome = try run(under: "ulimit -s \(kibibytes)")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("a stack of \(kibibytes) KiB; allow more with `ulimit -s"))
  }

  @Test(arguments: [600, 500])
  func `a cell needs no memory for output that it does not write`(mebibytes: Int) throws {
    let outcome = try run(under: "ulimit -v \(mebibytes * 1024)")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(arguments: [200, 250])
  func `too little memory for the threads is an error that names the limit`(mebibytes: Int) throws {
    let outcome = try run(under: "ulimit -v \(mebibytes * 1024)")
    #expect(outcome.status == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("(resource temporarily unavailable); allow more processes"))
  }

  @Test(.enabled(if: getuid() != 0, "root has no limit of processes"))
  func `too few processes are an error that names the limit`() throws {
    let outcome = try run(under: "ulimit -u 1")
    #expect(outcome.status == 1 && outcome.errors.contains("ulimit -u"), "\(outcome.errors)")
  }

  @Test func `a process whose runner is another one says so`() throws {
    let outcome = try command.shell("TOPOBENCH_PARENT=1 \"$topobench\" list scenarios")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors
        == "Error: TOPOBENCH_PARENT names process 1, which did not start this one; type: unset"
        + " TOPOBENCH_PARENT\n")
  }

  @Test func `a name of any length is refused at once`() throws {
    let outcome = try command.shell(
      """
      timeout 10 "$topobench" --scenario "$(printf 'x%.0s' {1..100000})"
      """, expecting: 64)
    #expect(outcome.errors.utf8.count < 3000)
  }

  @Test func `a CI's log finds no command in a message`() throws {
    let outcome = try command.run(
      "--scenario", "##[error]x", "--topology", "\n::error::x", expecting: 64)
    #expect(!outcome.errors.contains("##[error]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("##\\u{5B}error]x"), "\(outcome.errors)")
  }
}
