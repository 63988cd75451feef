import Foundation
import SoakSupport
import Testing

@Suite("Crashes in a soak") struct SoakCrashTests {
  @Test func `a crash prints the seed that was tried, and adds it to the tally`() async throws {
    let folder = try TrialFolder()
    let file = folder.url.appending(path: "tally.jsonl").path
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [file = file as String] in
      setenv("TOPOBENCH_SOAK_OPTIONS", "--seed 40 --tally \(file)", 1)
      var course = try SoakOptions.ofTests().begin("power cuts", count: 3)
      _ = course.next()
      _ = course.next()
      SoakCourse.name("saves/pool/read/17")
      raise(SIGSEGV)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("while it tried seed 41 (saves/pool/read/17)\n"), "\(text)")
    let tally = try String(
      contentsOf: folder.url.appending(path: "tally.jsonl"), encoding: .utf8)
    #expect(tally == #"{"name":"power cuts","tries":0,"failures":1,"seeds":[41,41]}"# + "\n")
  }
}
