import Foundation
import Judging
import Testing

@testable import Harness

#if canImport(Glibc)
  import Glibc
#endif

@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
  private func run(
    _ script: String, input: String = "", limit: Duration = .seconds(30),
    interrupts: Interrupts = Interrupts(), outputLimit: Int = 1 << 20
  ) async throws -> ChildOutcome {
    try await ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script], timeLimit: limit, interrupts: interrupts,
      outputLimit: outputLimit
    ).run(input: Data(input.utf8))
  }

  @Test func `a child reads its input and returns its output`() async throws {
    let outcome = try await run("tr a-z A-Z; echo said on the side >&2", input: "a cell")
    #expect(outcome == .finished(output: Data("A CELL".utf8)))
  }

  @Test func `output larger than a pipe comes back whole`() async throws {
    let outcome = try await run("head -c 900000 /dev/zero")
    #expect(outcome == .finished(output: Data(count: 900_000)))
  }

  @Test func `a status other than 0 is a crash, with the last line of standard error`() async throws
  {
    let outcome = try await run("echo first >&2; echo the reason >&2; exit 3")
    #expect(outcome == .crashed("exited with status 3: the reason"))
  }

  @Test func `a signal is a crash, with the signal's name`() async throws {
    #expect(try await run("kill -SEGV $$") == .crashed("killed by SIGSEGV"))
  }

  @Test func `a child ignores what its runner ignores from the start`() async throws {
    let earlier = signal(SIGHUP, SIG_IGN)
    defer { signal(SIGHUP, earlier) }
    let outcome = try await run("kill -HUP $$; echo alive")
    #expect(outcome == .finished(output: Data("alive\n".utf8)))
  }

  @Test func `a child that dies before it reads its input is a crash, not an error`() async throws {
    let outcome = try await run("exit 9", input: String(repeating: "x", count: 1 << 20))
    guard case .crashed = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `long standard error neither blocks the child nor fills the memory`() async throws {
    let outcome = try await run(
      "yes 0123456789 | head -n 400000 >&2; echo enough >&2; exit 1", outputLimit: 10_000_000)
    #expect(outcome == .crashed("exited with status 1: enough"))
  }

  @Test func `a child that exceeds its output limit is a crash`() async throws {
    let outcome = try await run("yes", outputLimit: 100_000)
    guard case .crashed = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `a child that exceeds its time limit and ignores SIGTERM is killed`()
    async throws
  {
    let script = "trap '' TERM INT HUP; while :; do read -r line < /dev/zero; done"
    guard case .timedOut = try await run(script, limit: .milliseconds(100)) else {
      Issue.record("it was not killed")
      return
    }
  }

  @Test func `an interrupt kills the child`() async throws {
    let interrupts = Interrupts()
    async let outcome = run("tail -f /dev/null", interrupts: interrupts)
    interrupts.interrupt()
    #expect(try await outcome == .interrupted)
  }

  @Test func `a missing executable throws, with its path and the reason`() async {
    let child = ChildProcess(
      executable: "/no/such/program", arguments: [], timeLimit: .seconds(1),
      interrupts: Interrupts())
    let error = await #expect(throws: FileError.self) { try await child.run(input: Data()) }
    #expect(
      error?.description == "cannot start '/no/such/program': no such file or directory")
  }

  @Test func `a grandchild dies when its parent has ended`() async throws {
    let outcome = try await run("tail -f /dev/null & echo $!")
    try expectDead(grandchildOf: outcome)
  }

  @Test func `a grandchild dies when its parent exceeds the time limit`() async throws {
    let folder = TemporaryFolder()
    let file = folder.url.appendingPathComponent("pid").path
    let outcome = try await run(
      "tail -f /dev/null & echo $! > '\(file)'; wait", limit: .seconds(3))
    #expect(outcome == .timedOut(threads: "1 thread waits"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try expectDead(grandchildOf: .finished(output: Data(text.utf8)))
  }

  @Test func `a child gets its runner's process ID, and prints no backtrace on a crash`()
    async throws
  {
    let outcome = try await run("printf '%s %s' \"$TOPOBENCH_PARENT\" \"$SWIFT_BACKTRACE\"")
    #expect(outcome == .finished(output: Data("\(getpid()) enable=no".utf8)))
  }

  /// Expects that the printed process is gone, or a zombie that init has yet to reap.
  private func expectDead(grandchildOf outcome: ChildOutcome) throws {
    guard case .finished(let output) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let text = String(decoding: output, as: UTF8.self)
    let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    // The kernel needs a moment between the kill and the end.
    var looks = 0
    while Self.isAlive(process), looks < 100_000 {
      looks += 1
      sched_yield()
    }
    #expect(!Self.isAlive(process))
  }

  private static func isAlive(_ process: Int32) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let state = stat.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    return state != "Z" && state != "X"
  }
}

@Suite struct InstructionTotalsTests {
  @Test func `the threads that counted on main are main, all others are workers`() {
    let totals = InstructionTotals([
      "thread: 3\nfn=(1) clinux_toggle_main_count\n8 1\ntotals: 1200\n",
      "thread: 4\nfn=(1) clinux_toggle_worker_count\n8 1\ntotals: 300\n",
      "thread: 5\nfn=(1) clinux_toggle_worker_count\n8 1\ntotals: 40\n",
      "thread: 1\ntotals: 0\n",
    ])
    #expect(totals.main == 1200 && totals.workers == 340)
  }

  @Test func `a part of main's work, or all of it, may have no instructions`() {
    let nothing = InstructionTotals([])
    #expect(nothing.areCounts(of: "push-up") && !nothing.areCounts(of: "all"))
    #expect(InstructionTotals(["totals: 7"]).areCounts(of: "all"))
  }
}

@Suite struct ExitStatusTests {
  @Test func `exit statuses have their documented numbers`() {
    let numbers = Judging.ExitStatus.allCases.map { "\($0) \($0.rawValue)" }
    #expect(
      numbers == [
        "done 0", "failed 1", "regression 2", "badCell 3", "inconclusive 4", "baseline 5",
        "nothingCompared 6", "usage 64", "interrupted 130",
      ])
  }

  @Test func `of several statuses, the first of 130, 64, 1, 5, 3, 6, 2, 4 applies`() {
    var left = Judging.ExitStatus.allCases.shuffled()
    for expected: Int32 in [130, 64, 1, 5, 3, 6, 2, 4, 0] {
      let worst = Judging.ExitStatus.worst(left)
      #expect(worst.rawValue == expected)
      left.removeAll { $0 == worst }
    }
    #expect(Judging.ExitStatus.worst([]) == .done)
  }

  @Test func `a gate's outcomes are exit statuses in the same order`() {
    let all = Set(GateOutcome.allCases.map(\.exitStatus))
    let inOrder = Judging.ExitStatus.precedence.filter(all.contains)
    #expect(GateOutcome.precedence.map(\.exitStatus) == inOrder)
    #expect(inOrder.count == GateOutcome.allCases.count)
  }
}
