import Foundation
import Harness
import Judging
import Measurement
import Testing

@Suite struct ReportReaderTests {
  private let folder = TemporaryFolder()

  private func write(_ bytes: some Sequence<UInt8>, to name: String = "a.csv") throws -> String {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  private func cells(_ trials: Int, run: String = "r1") -> [CellResult] {
    (1...trials).map { trial in
      var cell = CellResult(
        runID: run, startedAt: "2026-01-02T03:04:05Z", scenario: "s", topology: "t", store: "pool",
        trial: trial, order: trial, seed: 1, status: .ok)
      cell.metrics["total_ms"] = Double(trial)
      return cell
    }
  }

  private func refusal(_ path: String) -> String {
    message { _ = try ReportReader.side([path]) }.replacing(folder.url.path + "/", with: "")
  }

  @Test func `several files make one side`() throws {
    let paths = [
      try write(CellCSV.text(cells(3)).utf8, to: "a.csv"),
      try write(CellCSV.text(cells(2, run: "r2")).utf8, to: "b.csv"),
    ]
    let side = try ReportReader.side(paths)
    #expect(side.okCells == 5 && side.runs == ["r1", "r2"])
    #expect(side.groups.map { $0.values(.total) } == [[1, 2, 3, 1, 2]])
  }

  @Test func `a report longer than the buffer is read completely`() throws {
    let report = CellCSV.text(cells(9000))
    #expect(report.utf8.count > 1 << 20)
    let side = try ReportReader.side([try write(report.utf8)])
    #expect(side.okCells == 9000)
    #expect(side.groups.first?.values(.total).last == 9000)
  }

  @Test func `an invalid report is refused with its position and a remedy`() throws {
    #expect(refusal(folder.path("none.csv")).hasPrefix("none.csv: cannot be read: no such file"))
    #expect(refusal(folder.url.path).contains("cannot be read: is a directory; name a CSV file"))
    let empty = refusal(try write([]))
    #expect(empty.hasPrefix("a.csv: line 1, column 1: empty; a report begins with"), "\(empty)")
    let header = refusal(try write(CellCSV.header.utf8))
    #expect(
      header == "a.csv: line 2, column 1: no row after the header, so nothing was measured; "
        + "measure again with --output")
    let cut = refusal(try write(CellCSV.text(cells(3)).utf8.dropLast(90)))
    #expect(cut.hasPrefix("a.csv: line 4, column "), "\(cut)")
    #expect(cut.contains("is it cut off? Remove the row, or measure again"), "\(cut)")
    let text = CellCSV.text(cells(1))
    let schema = refusal(try write(text.replacing("topobench/3", with: "topobench/7").utf8))
    #expect(schema.hasPrefix("a.csv: line 2, column 1: unknown schema `topobench/7`"), "\(schema)")
    let number = refusal(try write(text.replacing(",1.000,", with: ",NaN,").utf8))
    #expect(number.contains("total_ms: `NaN` is not a number"), "\(number)")
  }

  @Test func `binary data is refused`() throws {
    var random = SystemRandomNumberGenerator()
    let junk = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(refusal(try write(junk)).hasPrefix("a.csv: line "))
    let program = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe")).prefix(1 << 20)
    #expect(refusal(try write(program)).hasPrefix("a.csv: line "))
  }

  @Test func `reading stops after 1 MiB of a 100 MiB line`() throws {
    let file = try write(CellCSV.text(cells(1)).utf8)
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: 100 << 20)
    try handle.close()
    #expect(
      refusal(file) == "a.csv: line 3, column 1: a line of more than 1 MiB; is this a CSV file?")
  }

  @Test func `a duet's report makes two sides`() throws {
    let marked = cells(4).enumerated().map { index, cell in
      var cell = cell
      cell.duet = DuetMark(
        pair: index / 2 + 1, side: index.isMultiple(of: 2) ? .baseline : .candidate, phase: .first)
      return cell
    }
    let file = try write(CellCSV.text(marked).utf8)
    let sides = try ReportReader.sides(ofDuet: file)
    #expect(sides.baseline.groups.map { $0.values(.total) } == [[1, 3]])
    #expect(Matching(baseline: sides.baseline, candidate: sides.candidate).pairing == .paired)
    #expect(throws: HarnessError.self) {
      try ReportReader.sides(ofDuet: try write(CellCSV.text(cells(2)).utf8))
    }
  }

  @Test func `the machines are read from the environment files beside reports`() throws {
    _ = try write(CellCSV.text(cells(1)).utf8, to: "a.csv")
    #expect(MachineEnvironment.readings(besides: [folder.path("a.csv"), "-"]).isEmpty)
    let environment = MachineEnvironment.sample(in: folder)
    try JSONEncoder().encode(environment).write(to: folder.url.appendingPathComponent("a.env.json"))
    let readings = MachineEnvironment.readings(besides: [folder.path("a.csv")])
    #expect(readings.map(\.cores) == [environment.machine.cores])
  }
}
