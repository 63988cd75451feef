import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct ProgressTextTests {
  private static let utf8 = TextStyle(width: nil, isUTF8: true, hasColor: false)
  private static let ascii = TextStyle(width: nil, isUTF8: false, hasColor: false)

  private func block(
    _ progress: RunProgress, _ columns: Int, _ rows: Int, at now: Duration = .seconds(16),
    style: TextStyle = utf8
  ) -> [String] {
    ProgressText(progress, style: style, now: now).block(columns: columns, rows: rows)
  }

  @Test func `a wide terminal shows a line for each topology, then the rest of the run`() {
    #expect(
      block(SampleProgress.midway(), 100, 30) == [
        "5000-cities, pool store  done  blocked ms                                  failed",
        "  main-only               3/6       36.1   ██████████████████████████████",
        "  root-main-private       2/6        8.50  ███████▏",
        "▸ notification-merge      3/6        2.55  ██▏                                  1",
        "8 of 18 cells · 20 s left · 1 failed",
        "noise: raw SQLite varies by 1.2 % · others use 3.1 % of the processor · steal 0 %",
      ])
  }

  @Test func `forty columns hold the same, closer together`() {
    #expect(
      block(SampleProgress.midway(), 40, 30) == [
        "5000-cities, pool s… done    ms     bad",
        "  main-only           3/6 36.1  ███",
        "  root-main-private   2/6  8.50 ▊",
        "▸ notification-merge  3/6  2.55 ▎     1",
        "8 of 18 cells · 20 s left · 1 failed",
        "noise: raw SQLite varies by 1.2 %",
        "others use 3.1 % of the processor",
        "steal 0 %",
      ])
  }

  @Test func `a terminal without UTF-8 gets ASCII`() {
    let lines = block(SampleProgress.midway(), 80, 30, style: Self.ascii)
    #expect(
      lines[1] == "  main-only             3/6       36.1   ##############################")
    #expect(lines[3].hasPrefix("> notification-merge    3/6        2.55  ##  "))
    #expect(lines.allSatisfy { $0.allSatisfy { $0.isASCII } })
  }

  @Test func `colour stands out, and takes no room`() {
    let style = TextStyle(width: nil, isUTF8: true, hasColor: true)
    let plain = block(SampleProgress.midway(), 100, 30)
    let coloured = block(SampleProgress.midway(), 100, 30, style: style)
    #expect(coloured != plain)
    #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") } == plain)
  }

  @Test(arguments: [1, 2, 5, 20, 39, 40, 41, 59, 60, 61, 80, 200], [1, 2, 3, 4, 5, 6, 9, 30])
  func `no line fills its row, and one row is left`(columns: Int, rows: Int) {
    for style in [Self.utf8, Self.ascii] {
      let lines = block(SampleProgress.midway(), columns, rows, style: style)
      #expect(!lines.isEmpty && lines.count <= max(1, rows - 1))
      let widest = lines.map(\.columns).max() ?? 0
      #expect(widest <= max(1, columns - 1), "\(lines)")
    }
  }

  @Test func `on a low terminal the last lines stay`() {
    let progress = SampleProgress.midway()
    #expect(block(progress, 80, 1) == ["8/18 · 20 s left · 1 failed"])
    #expect(block(progress, 80, 2) == ["8/18 · 20 s left · 1 failed"])
    #expect(block(progress, 80, 3) == ["8 of 18 cells · 20 s left · 1 failed"])
    let five = block(progress, 80, 5)
    #expect(five.count == 4 && five[1].hasPrefix("  main-only") && five[2] == "  … and 2 more")
  }

  @Test func `many topologies and sections are cut with their number`() {
    var progress = RunProgress(topologies: [])
    for store in ["pool", "serial"] {
      progress.plan((1...16).map { SampleProgress.key("topology-\($0)", store: store) })
    }
    let lines = block(progress, 100, 30)
    #expect(lines.count == 29)
    #expect(lines[0].hasPrefix("5000-cities, pool store"))
    #expect(lines[17] == "5000-cities, serial store")
    // 16 and 9 of 32 are shown.
    #expect(lines[27] == "  … and 7 more")
    #expect(lines[28] == "0 of 32 cells")
    #expect(block(progress, 100, 60).count == 35)
  }

  @Test func `sections show the parameters in which they differ`() {
    var progress = RunProgress(topologies: [])
    progress.plan([SampleProgress.key("a", parameters: #"{"changes.per_save":50}"#)])
    #expect(block(progress, 100, 30)[0].hasPrefix("5000-cities, pool store  done"))
    progress.plan([SampleProgress.key("a", parameters: #"{"changes.per_save":500}"#)])
    #expect(block(progress, 100, 30)[2] == "5000-cities, pool store, changes.per_save:500")
  }

  @Test func `bars of all sections have one scale`() {
    var progress = RunProgress(topologies: SampleProgress.topologies)
    for (value, blocked) in [(1, 10.0), (2, 40)] {
      let key = SampleProgress.key("main-only", parameters: "{\"a\":\(value)}")
      progress.plan([key], finished: [SampleProgress.cell(key, blocked: blocked)])
    }
    let lengths = block(progress, 100, 30).map { $0.count { $0 == "█" } }.filter { $0 > 0 }
    #expect(lengths == [7, 30])
  }

  @Test func `a cell that takes long is named`() {
    let lines = block(SampleProgress.midway(), 100, 30, at: .seconds(28))
    #expect(
      lines[4] == "8 of 18 cells · 18 s left · 1 failed · notification-merge for 12 s")
  }

  @Test func `a log gets one line of words`() {
    let text = ProgressText(SampleProgress.midway(), style: Self.utf8, now: .seconds(16)).plainLine
    #expect(
      text == "Progress: 8 of 18 cells, 20 s left, 1 failed, noise: raw SQLite varies by 1.2 %, "
        + "others use 3.1 % of the processor, steal 0 %")
  }

  @Test func `lengths of time as people say them`() {
    #expect(ProgressText.length(.milliseconds(59_900)) == "59 s")
    #expect(ProgressText.length(.seconds(140)) == "2 min 20 s")
    #expect(ProgressText.length(.seconds(3 * 3600 + 301)) == "3 h 5 min")
  }
}

@Suite struct RunProgressTests {
  private let keys = SampleProgress.topologies.map { SampleProgress.key($0) }

  private func ended(_ progress: inout RunProgress, _ key: CellKey, from: Int, to: Int) {
    progress.begin(key, at: .seconds(from))
    progress.end(key, as: SampleProgress.cell(key, blocked: 1), at: .seconds(to))
  }

  @Test func `the time left follows from each topology's own cells`() {
    var progress = RunProgress(topologies: [])
    progress.plan([keys[0], keys[0], keys[1], keys[1], keys[2]])
    #expect(progress.timeLeft(at: .zero) == nil)
    ended(&progress, keys[0], from: 0, to: 1)
    ended(&progress, keys[1], from: 1, to: 10)
    // 1 s more of the first, 9 s of the second, and the mean of both of the third.
    #expect(progress.timeLeft(at: .seconds(10)) == .seconds(15))
    progress.begin(keys[1], at: .seconds(10))
    #expect(progress.timeLeft(at: .seconds(14)) == .seconds(11))
    // A cell that takes longer than before takes nothing from the others.
    #expect(progress.timeLeft(at: .seconds(100)) == .seconds(6))
  }

  @Test func `a run of a given length ends when that is over`() {
    var progress = RunProgress(topologies: [], length: .seconds(60))
    progress.plan([keys[0]])
    #expect(progress.timeLeft(at: .seconds(20)) == .seconds(40))
    #expect(progress.timeLeft(at: .seconds(70)) == .zero)
  }

  @Test func `cells that an earlier run finished are done, and do not count for the pace`() {
    var progress = RunProgress(topologies: [])
    progress.plan([keys[0], keys[0]], finished: [SampleProgress.cell(keys[0], blocked: 7)])
    #expect(progress.done == 1 && progress.planned == 2)
    #expect(progress.sections.first?.lines.first?.median == 7)
    #expect(progress.timeLeft(at: .seconds(3)) == nil)
  }

  @Test func `topologies are in list order, sections in plan order`() {
    var progress = RunProgress(topologies: ["b", "a"])
    let stores = ["serial", "pool"]
    progress.plan(
      stores.flatMap { store in
        ["mine", "a", "b"].map { SampleProgress.key($0, store: store) }
      })
    #expect(progress.sections.map(\.key.store) == stores)
    for section in progress.sections {
      #expect(section.lines.map(\.key.topology) == ["b", "a", "mine"])
    }
  }

  @Test func `failed cells do not count in the median`() {
    var progress = RunProgress(topologies: [])
    progress.plan(Array(repeating: keys[0], count: 5))
    for status in [CellStatus.ok, .wrong, .crashed, .timeout, .suspect] {
      progress.end(keys[0], as: SampleProgress.failed(keys[0], status), at: .zero)
    }
    #expect(progress.failed == 3 && progress.suspect == 1 && progress.done == 5)
    #expect(progress.sections.first?.lines.first?.blocked == [0])
  }
}
