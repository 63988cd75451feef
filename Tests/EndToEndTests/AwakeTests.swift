import Foundation
import Measurement
import Testing

#if os(Linux)
  @Suite("Processors kept awake, end to end")
  struct AwakeTests {
    private let command = CommandRun()

    private static let run = CommandRun.small(rows: 40)

    /// At SCHED_IDLE the tests' commands run at it too, and refuse --keep-awake.
    private static var isIdle: Bool { sched_getscheduler(0) == 5 }

    private func environment(_ file: String) throws -> [String: Any] {
      let json = try JSONSerialization.jsonObject(with: Data(command.text(file).utf8))
      return try #require(json as? [String: Any])
    }

    @Test(.enabled(if: !isIdle, "what runs at SCHED_IDLE cannot keep processors awake"))
    func `a run records whether it kept processors awake, and resumes in the same way only`() throws
    {
      let awake = try command.run(Self.run + ["--keep-awake", "--explain"], expecting: 0)
      #expect(awake.output.contains("processors were kept awake"))
      #expect(try environment("a.env.json")["processors_kept_awake"] as? Bool == true)
      #expect(try command.cells("a.csv").map(\.status) == [.ok])
      #expect(command.processesLeft() == [])
      let more = CommandRun.small(trials: 2, rows: 40) + ["--resume"]
      try command.run(more, expecting: 64, saying: "processors_kept_awake was 'true', is 'false'")
      try command.run(more + ["--keep-awake"], expecting: 0)
      #expect(try command.cells("a.csv").count == 2)
    }

    @Test func `processors may sleep without the option`() throws {
      let outcome = try command.run(Self.run, expecting: 0)
      #expect(!outcome.output.contains("awake"))
      #expect(try environment("a.env.json")["processors_kept_awake"] as? Bool == false)
    }

    @Test(.enabled(if: !isIdle, "what runs at SCHED_IDLE cannot keep processors awake"))
    func `the doctor reports processors kept awake`() throws {
      let outcome = try command.run(
        "doctor", "--no-noise", "--keep-awake", "--format", "json", expecting: 0)
      #expect(outcome.output.contains("\"keeps_awake\" : true"))
      try expectForm("topobench-doctor/2", outcome)
    }

    @Test(arguments: [
      run + ["--keep-awake"], ["doctor", "--keep-awake"],
      [
        "duet", "--keep-awake", "--baseline-binary", "/bin/true", "--candidate-binary", "/bin/true",
      ] + run.filter { !["--trials", "1"].contains($0) },
    ])
    func `--keep-awake is refused if cells themselves run at SCHED_IDLE`(
      arguments: [String]
    ) async throws {
      let binary = CommandRun.executable("topobench").path
      let outcome = try await command.runAside(
        ["--idle", "0", binary] + arguments, executable: URL(fileURLWithPath: "/usr/bin/chrt"),
        expecting: 64, saying: "--keep-awake: this process itself runs at SCHED_IDLE")
      #expect(outcome.output.isEmpty)
      #expect(!command.exists("a.csv"))
    }
  }
#endif
