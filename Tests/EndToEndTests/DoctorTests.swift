import Foundation
import Testing

@Suite("The doctor, end to end")
struct DoctorTests {
  private let command = CommandRun()

  @Test func `the doctor checks all readings of the machine and nothing else`() throws {
    let outcome = try command.run("doctor", "--no-noise", "--format", "json", expecting: 0)
    let document = try outcome.json()
    let checks = try #require(document["checks"] as? [[String: Any]])
    let page = try String(
      contentsOf: CommandRun.root.appending(path: "Documentation/Reference/Environment.md"),
      encoding: .utf8)
    let documented = page.matches(of: /\(doctor \*(.+?)\*/).map { String($0.output.1) }
    #expect(documented.contains("steal"))
    #expect(checks.compactMap { $0["subject"] as? String } == documented)
    for check in checks where check["reading"] == nil { #expect(check["diagnosis"] == nil) }
    let build = checks.first { $0["subject"] as? String == "build" }
    #expect(build?["reading"] as? String == "debug")
    let diagnosis = try #require(build?["diagnosis"] as? [String: String])
    #expect(diagnosis["grade"] == "fair" && diagnosis["remedy"]?.isEmpty == false)
    #expect(document["noise"] == nil)
    try expectForm("topobench-doctor/2", outcome)
  }

  @Test func `the doctor's JSON names the program and the machine`() throws {
    let process = command.process(
      ["doctor", "--no-noise", "--format", "json"], environment: ["TOPOBENCH_GIT_SHA": "3f2a9c1"])
    let environment = try #require(
      try command.finish(process).json()["environment"] as? [String: String])
    #expect(environment["git_sha"] == "3f2a9c1")
    let version = try #require(environment["topobench"])
    #expect(try command.run("--version", expecting: 0).output.hasPrefix(version))
    #if os(Linux)
      let kernel = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
      #expect(environment["kernel"].map { $0 + "\n" } == kernel)
    #endif
  }

  @Test func `noise is measured with real cells, which leave no files`() throws {
    let outcome = try command.run(
      "doctor", "--seconds", "2", "--topology", "main-only", "--set", "data.rows=40", "--set",
      "repeat_for_ms=1", expecting: 0)
    #expect(outcome.output.contains("What makes results here doubtful: build"))
    // On a slow machine two seconds are too short for four pairs; on a noisy one, a minute for a
    // duet.
    let isSlow = outcome.output.contains("Too few sound pairs in ")
    #expect(outcome.output.contains("Noise of 5000-cities") != isSlow)
    #expect(outcome.output.contains("Detectable here") != isSlow)
    #expect(try command.files() == [])
    #expect(command.processesLeft() == [])
  }

  @Test func `a wrong option is refused with the allowed values`() throws {
    for (options, words) in [
      (["--seconds", "0"], "--seconds"), (["--topology", "nested"], "unknown topology 'nested'"),
      (["--set", "data.row=1"], "data.rows"), (["--disk", "/nowhere"], "--disk"),
      (["--set", "changes.per_save=[1,500]"], "one setting"),
      (["--self-check", "--format", "json"], "in text only"),
    ] {
      try command.expectRefusal(of: ["doctor"] + options, saying: [words])
    }
  }
}
