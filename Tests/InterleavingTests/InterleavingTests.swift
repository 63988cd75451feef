import Foundation
import TestSupport
import Testing

// The stories run in a program of their own: it replaces functions of the C library, which the
// tests' process must not.

@Suite("Orders of threads", .timeLimit(.minutes(10))) struct InterleavingTests {
  // CI draws a hundred with the optimised program (scripts/soak --short).
  @Test func `two writers and main lose nothing in any topology, in ten orders`() throws {
    try expectNoProblem(
      "--stories", ",two-writers", "--schedules", "\(RandomRuns.share(of: 10))", stories: 40)
  }

  @Test func `exact counts are equal in every order`() throws {
    try expectNoProblem(
      "--stories", ",exact", "--schedules", "\(RandomRuns.share(of: 10))", stories: 40)
  }

  @Test func `contexts of one coordinator agree in every order`() throws {
    try expectNoProblem(
      "--stories", "contexts,", "--schedules", "\(RandomRuns.share(of: 50))", stories: 18)
  }

  @Test func `queues keep their order in all schedules with one preemption`() throws {
    let run = try expectNoProblem(
      "--stories", "queues,", "--exhaustive", "--preemptions", "1", "--schedules", "1000",
      stories: 8)
    #expect(run.output.matches(of: /, all there are;/).count == 8, "\(run.output)")
  }

  @Test func `the tally of exhaustive orders has their number`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try expectNoProblem(
      "--stories", "queues,private-queue-closing", "--exhaustive", "--preemptions", "1", "--tally",
      file.path, stories: 1)
    let count = try #require(run.output.firstMatch(of: /: ([0-9]+) schedules,/)).1
    let tally = try String(contentsOf: file, encoding: .utf8)
    #expect(tally.contains(#""name":"exhaustive orders""#) && tally.contains("\"tries\":\(count)}"))
  }

  @discardableResult
  private func expectNoProblem(_ arguments: String..., stories: Int) throws -> ProgramRun {
    let run = try interleavingSoak(arguments + ["--seed", "1"])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("\n\(stories) stories in "), "\(run.output)")
    #expect(run.output.contains(" schedules each; 0 with problems"))
    return run
  }

  @Test func `a seed and a schedule repeat a run`() throws {
    let story = ["--story", "container,pool,two-writers"]
    let drawn = try interleavingSoak(story + ["--seed", "7", "--schedules", "1", "--echo"])
    let schedule = try #require(drawn.output.firstMatch(of: /([0-9]+:[0-9]+,[0-9:,]+)\n/)).1
    let fingerprint = try #require(drawn.fingerprints.last)
    let again = try interleavingSoak(story + ["--seed", "7", "--schedules", "1", "--echo"])
    #expect(again.fingerprints.last == fingerprint)
    let replayed = try interleavingSoak(story + ["--schedule", "\(schedule)", "--echo"])
    #expect(replayed.fingerprints.last == fingerprint, "\(replayed.output)")
  }

  @Test func `a failure prints commands that repeat it by its seed and by its schedule`() throws {
    let found = try interleavingSoak([
      "--story", "faulty,lost-increment", "--seed", "7", "--depth", "2", "--schedules", "1000",
      "--echo",
    ])
    #expect(found.status == 1 && found.output.contains("(seed 7, schedule "), "\(found.output)")
    let commands = found.output.matches(of: /(?:To repeat|From the seed): (\S+) (.+)/)
    #expect(commands.count == 2, "\(found.output)")
    for command in commands {
      #expect(command.1.hasSuffix("/interleaving-soak"))
      let options = command.2.split(separator: " ").map(String.init)
      let again = try interleavingSoak(options + ["--echo"])
      #expect(again.status == 1 && again.output.contains("increments: 1, not 2"))
      #expect(again.fingerprints.last == found.fingerprints.last, "\(again.output)")
    }
  }

  @Test func `an update that is merged twice is a problem`() throws {
    let run = try interleavingSoak(["--story", "faulty,merged-twice", "--schedules", "1"])
    #expect(run.status == 1)
    #expect(run.output.contains(#/2 updates of .+ were merged 3 times/#), "\(run.output)")
  }
}

private func interleavingSoak(_ arguments: [String]) throws -> ProgramRun {
  try ProgramRun("interleaving-soak", arguments)
}

extension ProgramRun {
  fileprivate var fingerprints: [Substring] {
    output.matches(of: /fingerprint ([0-9a-f]+)/).map(\.1)
  }
}
