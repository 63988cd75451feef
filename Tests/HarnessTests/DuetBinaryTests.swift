import Foundation
import Judging
import Measurement
import Testing

@testable import Harness

@Suite struct DuetBinaryTests {
  private static func check(digest: String? = "d1", problem: String? = nil) -> CellCheck {
    CellCheck(
      topobench: "1.2.3", gitSHA: "abc", build: "release",
      topologies: [.init(name: "main-only", store: nil)], scenarioDigest: digest,
      problem: problem)
  }

  @Test func `a program that speaks the same version is understood`() throws {
    let answer = ChildOutcome.finished(output: try JSONEncoder().encode(Self.check()))
    #expect(try DuetBinary(.baseline, at: "/a", answering: answer).check == Self.check())
  }

  @Test func `another version is named, whatever else the answer has`() {
    let answer = ChildOutcome.finished(
      output: Data(#"{"protocol":"topobench-cell/9","new":[1]}"#.utf8))
    let error = #expect(throws: DuetMismatch.self) {
      try DuetBinary(.candidate, at: "/b/topobench", answering: answer)
    }
    let text = error?.description ?? ""
    #expect(text.contains("candidate binary '/b/topobench' speaks 'topobench-cell/9'"))
    #expect(text.contains("'topobench-cell/1'"))
    #expect(text.contains("build both"))
  }

  @Test(arguments: [
    ChildOutcome.crashed("exited with status 64: Error: Unknown option '--check'"), .timedOut,
    .finished(output: Data("hello".utf8)),
    .finished(output: Data(#"{"protocol":"topobench-cell/1"}"#.utf8)),
  ])
  func `a program that does not answer is refused, and the message says what to name`(
    outcome: ChildOutcome
  ) {
    let error = #expect(throws: DuetMismatch.self) {
      try DuetBinary(.baseline, at: "/bin/false", answering: outcome)
    }
    let text = error?.description ?? ""
    #expect(text.contains("'/bin/false' does not answer `cell --check`"))
    #expect(text.contains("Name a topobench"))
  }

  private static func binaries(_ left: CellCheck, _ right: CellCheck) -> [DuetBinary] {
    [
      DuetBinary(side: .baseline, path: "/a", check: left),
      DuetBinary(side: .candidate, path: "/b", check: right),
    ]
  }

  @Test func `binaries with one digest agree`() throws {
    let both = Self.binaries(Self.check(), Self.check())
    #expect(try DuetAgreement.digest(of: "5000-cities", both) == "d1")
  }

  @Test func `a scenario with different digests, or that a binary cannot use, is refused`() {
    let other = Self.binaries(Self.check(), Self.check(digest: "d2"))
    let difference = #expect(throws: DuetMismatch.self) {
      try DuetAgreement.digest(of: "5000-cities", other)
    }
    #expect(difference?.description.contains("baseline d1, candidate d2") == true)
    let unreadable = Self.binaries(
      Self.check(digest: nil, problem: "x.yaml:3: unknown field 'colour'"), Self.check())
    let problem = #expect(throws: DuetMismatch.self) {
      try DuetAgreement.digest(of: "5000-cities", unreadable)
    }
    #expect(problem?.description.contains("baseline binary '/a'") == true)
    #expect(problem?.description.contains("unknown field 'colour'") == true)
  }

  @Test func `a check answers an unknown specification with its own version`() {
    let later = Data(#"{"protocol":"topobench-cell/9"}"#.utf8)
    let check = CellCheck(of: later, topobench: "1", gitSHA: "", topologies: [])
    #expect(check.protocol == "topobench-cell/1")
    #expect(check.scenarioDigest == nil)
    #expect(check.problem?.isEmpty == false)
  }
}
