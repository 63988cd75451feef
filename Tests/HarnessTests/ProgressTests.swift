import Testing

@testable import Harness

@Suite struct ProgressTests {
  /// What was written, as it was written.
  private final class Paper {
    var lines: [String] = []
  }

  private let paper = Paper()
  private let start = ContinuousClock.now

  private func progress(columns: Int = 80) -> Progress {
    let paper = paper
    return Progress(
      total: 10, screen: ProgressScreen(columns: columns) { paper.lines.append($0) }, start: start)
  }

  @Test func `the time left follows from the cells that are done`() {
    var progress = progress()
    progress.cellBegins(1, "a · b · pool", now: start)
    progress.cellBegins(3, "c · d · pool", now: start + .seconds(4))
    progress.cellBegins(4, "e · f · pool", now: start + .seconds(60))
    progress.clear()
    #expect(
      paper.lines == [
        "\r\u{1B}[2K[1/10] a · b · pool",
        "\r\u{1B}[2K[3/10] c · d · pool · 16 s left",
        "\r\u{1B}[2K[4/10] e · f · pool · 2 min 20 s left",
        "\r\u{1B}[2K",
      ])
  }

  @Test func `quick cells are drawn twice a second at most`() {
    var progress = progress()
    for cell in 0..<100 {
      progress.cellBegins(1 + cell % 10, "x", now: start + .milliseconds(20 * cell))
    }
    // begun at   0   20   40  …  500  …  1000  …  1500  …  1980 ms
    // drawn at   0                500     1000     1500
    #expect(paper.lines.count == 4)
  }

  @Test func `a line never wraps`() {
    var progress = progress(columns: 20)
    progress.cellBegins(1, "a-scenario-of-a-long-name · topology · pool", now: start)
    #expect(paper.lines == ["\r\u{1B}[2K[1/10] a-scenario-o"])
  }

  @Test func `where nothing can be drawn, nothing is`() {
    var progress = progress(columns: 0)
    progress.cellBegins(1, "a", now: start)
    progress.clear()
    #expect(paper.lines == [])
    #expect(!ProgressScreen.canDraw(terminal: nil))
    #expect(!ProgressScreen.canDraw(terminal: ""))
    #expect(!ProgressScreen.canDraw(terminal: "dumb"))
    #expect(ProgressScreen.canDraw(terminal: "xterm-256color"))
  }
}
