import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct RunProgressTests {
  private static let utf8 = TextStyle(hasColor: true)
  private let keys = ["main-only", "sliced-merge", "container"].map {
    CellKey(scenario: "5000-cities", topology: $0, store: "pool")
  }

  private func line(_ progress: RunProgress, at seconds: Int, columns: Int? = nil) -> String {
    progress.line(at: .seconds(seconds), style: Self.utf8, columns: columns)
  }

  private func cell(_ key: CellKey, _ status: CellStatus = .ok) -> CellResult {
    var cell = CellResult(
      runID: "r1", startedAt: "2026-01-02T03:04:05Z", scenario: key.scenario,
      topology: key.topology, store: key.store, trial: 1, order: 1, seed: 1, status: status)
    cell.metrics[.mainBlocked] = 6.91
    return cell
  }

  private func run(
    _ progress: inout RunProgress, _ key: CellKey, from: Int, to: Int, as status: CellStatus = .ok
  ) {
    progress.begin(key, at: .seconds(from))
    progress.end(key, as: cell(key, status), at: .seconds(to))
  }

  /// One of six cells has crashed at four seconds, and the fourth has begun.
  private func midway() -> RunProgress {
    var progress = RunProgress()
    progress.plan([0, 1, 0, 1, 0, 1].map { keys[$0] })
    run(&progress, keys[0], from: 0, to: 3)
    run(&progress, keys[0], from: 3, to: 4, as: .crashed)
    run(&progress, keys[1], from: 4, to: 14)
    progress.begin(keys[1], at: .seconds(14))
    return progress
  }

  @Test func `the line says what is done, the time left and the last result`() {
    var progress = RunProgress()
    progress.plan([keys[0], keys[1]])
    #expect(line(progress, at: 0) == "0 of 2 cells")
    #expect(
      line(midway(), at: 14)
        == "3 of 6 cells, 22 s left, 1 failed; last: sliced-merge 6.91 ms blocked")
  }

  @Test(arguments: [CellStatus.wrong, .crashed, .timeout])
  func `a failed last cell shows its status`(status: CellStatus) {
    var progress = RunProgress()
    progress.plan([keys[0]])
    progress.end(keys[0], as: cell(keys[0], status), at: .zero)
    #expect(line(progress, at: 1) == "1 of 1 cell, 0 s left, 1 failed; last: main-only \(status)")
  }

  @Test func `a suspect cell has not failed`() {
    var progress = RunProgress()
    progress.plan([keys[0], keys[1]])
    progress.end(keys[0], as: cell(keys[0], .suspect), at: .zero)
    #expect(line(progress, at: 1) == "1 of 2 cells, 1 suspect; last: main-only suspect")
  }

  @Test(arguments: Question.all)
  func `a counted cell shows the instructions of the phase asked about`(question: Question) {
    var counted = cell(keys[0])
    counted.metrics[question.blocked] = nil
    counted.metrics[.mainInstructions] = 1
    counted.metrics[question.instructions] = 3_644_123
    counted.metrics[label: .asksAbout] = question.phase.rawValue
    var progress = RunProgress()
    progress.plan([keys[0], keys[1]])
    progress.end(keys[0], as: counted, at: .zero)
    #expect(line(progress, at: 1) == "1 of 2 cells; last: main-only 3,644,123 instructions")
  }

  @Test(arguments: [1, 2, 3, 14, 40, 69, 70, 71, 200])
  func `a line is cut before the terminal's last column`(columns: Int) {
    let whole = line(midway(), at: 14)
    let cut = line(midway(), at: 14, columns: columns)
    #expect(cut.columns <= max(1, columns - 1))
    #expect(cut == whole || columns < 3 || cut.hasSuffix("…"))
    #expect((cut == whole) == (columns > whole.columns))
  }

  @Test func `a terminal without UTF-8 gets ASCII`() {
    let ascii = TextStyle(isUTF8: false)
    let cut = midway().line(at: .seconds(14), style: ascii, columns: 40)
    #expect(cut == "3 of 6 cells, 22 s left, 1 failed; l...")
  }
}

extension RunProgressTests {
  private func timeLeft(_ progress: RunProgress, at seconds: Int) -> String? {
    line(progress, at: seconds).firstMatch(of: /, ([^,;]*) left/).map { String($0.1) }
  }

  @Test func `the time left follows from ended cells of each kind`() {
    var progress = RunProgress()
    progress.plan([keys[0], keys[0], keys[1], keys[1], keys[2], keys[2]])
    run(&progress, keys[0], from: 0, to: 1)
    run(&progress, keys[1], from: 1, to: 10)
    // No cell of the third topology has ended.
    #expect(timeLeft(progress, at: 10) == nil)
    run(&progress, keys[2], from: 10, to: 15)
    #expect(timeLeft(progress, at: 15) == "15 s")
    progress.begin(keys[1], at: .seconds(15))
    #expect(timeLeft(progress, at: 19) == "11 s")
    // A cell that takes longer than before takes nothing from the others.
    #expect(timeLeft(progress, at: 100) == "6 s")
  }

  @Test func `equal topologies with other parameters are another kind`() {
    var progress = RunProgress()
    let other = CellKey(
      scenario: "5000-cities", parameters: #"{"changes.per_save":50}"#, topology: "main-only",
      store: "pool")
    progress.plan([keys[0], other])
    run(&progress, keys[0], from: 0, to: 1)
    #expect(timeLeft(progress, at: 1) == nil)
  }

  @Test func `a run of a given length ends when that is over`() {
    var progress = RunProgress(length: .seconds(60))
    progress.plan([keys[0]])
    #expect(timeLeft(progress, at: 20) == "40 s")
    #expect(timeLeft(progress, at: 70) == "0 s")
  }

  @Test func `cells that an earlier run finished are done, and do not count for the pace`() {
    var progress = RunProgress()
    progress.plan([keys[0], keys[0]], finished: [cell(keys[0])])
    #expect(line(progress, at: 3) == "1 of 2 cells")
    run(&progress, keys[0], from: 3, to: 5)
    #expect(timeLeft(progress, at: 5) == "0 s")
  }

  @Test func `lengths of time as people say them`() {
    for (length, text) in [(59, "59 s"), (140, "2 min 20 s"), (3 * 3600 + 301, "3 h 5 min")] {
      var progress = RunProgress(length: .seconds(length))
      progress.plan([keys[0]])
      #expect(timeLeft(progress, at: 0) == text)
    }
  }
}
