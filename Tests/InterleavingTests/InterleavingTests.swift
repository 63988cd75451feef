import Foundation
import TestSupport
import Testing

// The stories run in a program of their own: it replaces functions of the C library, which the
// tests' process must not.

@Suite("Orders of threads", .timeLimit(.minutes(10))) struct InterleavingTests {
  // Half of the hundred schedules of each topology in each store mode.
  @Test func `two writers and main lose nothing in any topology, in a hundred orders`() throws {
    try expectNoProblem(
      "--stories", ",two-writers", "--schedules", "\(RandomRuns.share(of: 50))", stories: 40)
  }

  @Test func `exact counts are equal in every order`() throws {
    try expectNoProblem(
      "--stories", ",exact", "--schedules", "\(RandomRuns.share(of: 10))", stories: 40)
  }

  @Test func `contexts of one coordinator agree in every order`() throws {
    try expectNoProblem(
      "--stories", "contexts,", "--schedules", "\(RandomRuns.share(of: 50))", stories: 16)
  }

  @Test func `queues keep their order in all schedules with one preemption`() throws {
    try expectNoProblem(
      "--stories", "queues,", "--exhaustive", "--preemptions", "1", "--schedules",
      "\(RandomRuns.share(of: 500))", stories: 8)
  }

  private func expectNoProblem(_ arguments: String..., stories: Int) throws {
    let run = try InterleavingRun(arguments + ["--seed", "1"])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("\n\(stories) stories in "), "\(run.output)")
    #expect(run.output.contains(" schedules each; 0 with problems"))
  }

  @Test func `a seed and a schedule repeat a run`() throws {
    let story = ["--story", "container,pool,two-writers"]
    let drawn = try InterleavingRun(story + ["--seed", "7", "--schedules", "1", "--echo"])
    let schedule = try #require(drawn.output.firstMatch(of: /([0-9]+:[0-9]+,[0-9:,]+)\n/)).1
    let fingerprint = try #require(drawn.fingerprints.last)
    let again = try InterleavingRun(story + ["--seed", "7", "--schedules", "1", "--echo"])
    #expect(again.fingerprints.last == fingerprint)
    let replayed = try InterleavingRun(story + ["--schedule", "\(schedule)", "--echo"])
    #expect(replayed.fingerprints.last == fingerprint, "\(replayed.output)")
  }
}

private struct InterleavingRun {
  let status: Int32
  let output: String

  var fingerprints: [Substring] { output.matches(of: /fingerprint ([0-9a-f]+)/).map(\.1) }

  init(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "interleaving-soak")
    process.arguments = arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
