import Foundation
import Testing

@Suite("The core's benchmark")
struct CoreBenchTests {
  private let command = CommandRun()

  @Test func `every step is measured for each contender that has it`() throws {
    let outcome = try command.run("--smoke", "--csv", "rows.csv", command: "core-bench")
    try #require(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("1000 inserts in saves of 10"))
    // A sanitizer replaces the allocator whose counts give the bytes.
    let countsBytes = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil
    #expect(outcome.output.contains("realised and registered") == countsBytes)

    let rows = try command.text("rows.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(
      rows[0].joined(separator: ",")
        == "size,step,contender,round,ns_per_object,bytes_per_object")
    // Two rounds of seven steps for four contenders, and of the core's push and merge.
    #expect(rows.count == 1 + 2 * (7 * 4 + 2) + (countsBytes ? 1 : 0))
    let misshapen = rows.dropFirst().filter { row in
      row.count != 6 || (Double(row[4]) ?? Double(row[5]) ?? 0) <= 0
    }
    #expect(misshapen.isEmpty)
  }

  @Test func `each primitive has its cost by rows, and a slope`() throws {
    let outcome = try command.run("--scaling", "--smoke", command: "core-bench")
    try #require(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n").dropFirst(2)
    #expect(lines.count == 11)
    for line in lines {
      let figures = line.dropFirst(20).split(separator: " ").compactMap { Double($0) }
      #expect(figures.count == 3 && figures.allSatisfy(\.isFinite), "\(line)")
    }
  }

  /// Four times the instructions, if the step searches a list for each object.
  @Test(
    .enabled(if: CountTests.hasValgrind), .timeLimit(.minutes(5)),
    arguments: ["returns", "refusals", "missing"])
  func `twice the objects need twice the instructions`(step: String) throws {
    let program = command.folder.appendingPathComponent("core-bench").path
    try command.shell("strip -g -o '\(program)' '\(CommandRun.executable("core-bench").path)'")
    let counts = try [1000, 2000].map { size in
      try command.shell(
        "valgrind -q --vgdb=no --tool=callgrind --instr-atstart=no --collect-atstart=no"
          + " --callgrind-out-file=counts '\(program)' --growth \(step) --size \(size)",
        expecting: 0)
      let total = try command.text("counts").split(separator: "\n").last { $0.hasPrefix("totals:") }
      return try #require(total.flatMap { Double($0.dropFirst("totals: ".count)) })
    }
    #expect(counts[0] > 1_000_000 && counts[1] < 2.3 * counts[0], "\(counts)")
  }

  @Test(arguments: [
    (["--size", "0"], "--size must be positive; got 0"),
    (["--size", "5", "--size", "5"], "--size"),
    (["--rounds", "6"], "--rounds must be 7 or more; got 6"),
    (["--stream", "1"], "--stream must be a multiple of 5,000"),
    (["--stream", "100000", "--smoke"], "leave --csv, --smoke"),
    (["--growth", "returns"], "--growth takes one --size"),
    (["--scaling", "--core-only"], "--scaling prints one table"),
    (["--smoke", "--csv", "nowhere/rows.csv"], "is no folder to write into"),
  ])
  func `bad input is refused before anything is measured`(arguments: [String], words: String) throws
  {
    try command.expectRefusal(of: arguments, saying: [words], command: "core-bench")
  }
}
