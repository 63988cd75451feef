import Foundation
import Judging
import Measurement
import Testing

@testable import Reports

struct SweepAnswerTests {
  /// Two topologies that change places, and one that is always last.
  static let summary: Summary = {
    let figures: [(String, [(String, Double)])] = [
      ("0", [("merge", 6.76), ("child", 22.6), ("main-only", 90)]),
      ("10", [("merge", 14), ("child", 22.7), ("main-only", 90)]),
      ("100", [("merge", 61.2), ("child", 22.5), ("main-only", 90)]),
    ]
    let cells = figures.flatMap { value, topologies in
      topologies.flatMap { name, blocked in
        SampleSummaries.cells(name, blocked).with {
          $0.scenario = "registered"
          $0.parameters = #"{"main.realised_percent":\#(value)}"#
        }
      }
    }
    return Summary(cells: cells)
  }()

  @Test
  func `the answer of a sweep ends with a table over its values and the changes of the order`() {
    let text = AnswerTextTests.text(
      Self.summary, style: TextStyle(width: 100))
    let expected = """
      registered, pool store, over main.realised_percent

      topology         0      10     100
                      ms      ms      ms
      ──────────────────────────────────
      merge       6.79 A  14.1 A  61.5 B
      child      22.7 B   22.8 B  22.6 A
      main-only  90.5 C   90.5 C  90.5 C
      Blocked time, ms: median over trials. At each value, topologies that share a letter are not
      separated.

      Where the order changes: between 10 and 100, merge falls behind child (about 26.5).
      """
    #expect(text.contains(expected), "\(text.suffix(2000))")
  }

  @Test func `a sweep of one topology has no crossover`() throws {
    let cells = Self.summary.cells.filter { $0.topology == "merge" }
    let sweep = try #require(Summary(cells: cells).sweeps.first)
    #expect(
      Phrases.crossovers(sweep) == "There is no second topology to compare.")
  }

  /// - Parameter figures: at each value, the blocked time of each topology, and the other metric.
  private func sweep(
    over field: String, _ other: Metric, _ figures: [(String, [(String, Double, Double)])]
  ) throws -> Sweep {
    let cells = figures.flatMap { value, topologies in
      topologies.flatMap { name, blocked, figure in
        SampleSummaries.cells(name, blocked).with {
          $0.parameters = "{\"\(field)\":\(value)}"
          $0.metrics[other] = figure
        }
      }
    }
    return try #require(Summary(cells: cells).sweeps.first)
  }

  @Test func `the title of a sweep over the cost of drawing says that drawing counts`() throws {
    let changing = try sweep(
      over: "drawing.cell_us", .mainUI,
      [("0", [("a", 10, 0), ("b", 20, 0)]), ("200", [("a", 10, 50), ("b", 20, 5)])])
    #expect(
      Phrases.short(changing)
        == "drawing.cell_us: with drawing, a is best at 0, b is best at 200")
    let equal = try sweep(
      over: "drawing.cell_us", .mainUI,
      [("0", [("a", 10, 0), ("b", 20, 0)]), ("200", [("a", 10, 5), ("b", 20, 5)])])
    #expect(Phrases.short(equal) == "drawing.cell_us: with drawing, a is best at each value")
  }

  @Test func `a title tells sweeps of one field that differ apart by the other fields`() throws {
    let cells = [(1, 0), (2, 0), (1, 9), (2, 9)].flatMap { x, y in
      (SampleSummaries.cells("a", y == 0 ? 10 : 30) + SampleSummaries.cells("b", 20)).with {
        $0.parameters = "{\"x\":\(x),\"y\":\(y)}"
      }
    }
    let summary = Summary(cells: cells)
    let title = Phrases.short(summary.sweeps, summary.sections)
    #expect(
      title.hasSuffix(
        "; x with y 0: a is best at each value; y: a is best at 0, b is best at 9; and 1 more"),
      "\(title)")
    let titles = summary.sweeps.map { Phrases.short($0, among: summary.sweeps) }
    #expect(titles.contains("x with y 9: b is best at each value"), "\(titles)")
  }

  @Test func `neighbouring numbers are told as a range, words as a list`() throws {
    func title(_ values: [String]) throws -> String {
      let last = [("a", 10.0, 20.0), ("b", 20, 5)]
      let points = values.dropLast().map { ("\"\($0)\"", [("a", 10.0, 5.0), ("b", 20, 5)]) }
      let all = points + [("\"\(values.last!)\"", last)]
      return Phrases.short(try sweep(over: "x", .mainLongestGap, all))
    }
    #expect(try title(["1", "50", "all", "none"]) == "x: a is best at 1 to all, b is best at none")
    #expect(
      try title(["author", "born", "favourite", "none"])
        == "x: a is best at author, born and favourite, b is best at none")
  }

  @Test func `if the best topologies change, the text names who freezes at which value`() throws {
    let gaps: [(String, [(String, Double, Double)])] = [
      ("1", [("a", 10, 5), ("b", 20, 5), ("c", 30, 5)]),
      ("2", [("a", 10, 50), ("b", 20, 5), ("c", 30, 5)]),
      ("3", [("a", 10, 300), ("b", 20, 5), ("c", 30, 20)]),
      ("4", [("a", 10, 300), ("b", 20, 300), ("c", 30, 20)]),
      ("5", [("a", 10, 300), ("b", 20, 300), ("c", 30, 20)]),
    ]
    func text(_ count: Int) throws -> String {
      Phrases.crossovers(try sweep(over: "x", .mainLongestGap, Array(gaps.prefix(count))))
    }
    let freezes =
      "The best topologies change, but no two topologies are separated in both orders. "
      + "The screen freezes with a at 2"
    #expect(try text(2) == freezes + ".")
    #expect(try text(3) == freezes + "; with a and c at 3.")
    #expect(try text(5) == freezes + "; with a and c at 3; with all 3 topologies at 4 to 5.")
    let unchanged = try sweep(over: "x", .mainLongestGap, Array(gaps[1...2]))
    #expect(Phrases.crossovers(unchanged) == "The trials show no change of the order.")
  }

  @Test func `a title calls no topology best at a value where it freezes and another does not`()
    throws
  {
    let inserts = try sweep(
      over: "generate.inserts", .mainLongestGap,
      [("10", [("a", 10, 5), ("b", 20, 5)]), ("60", [("a", 10, 98.7), ("b", 20, 4.77)])])
    #expect(Phrases.short(inserts) == "generate.inserts: a is best at 10, b is best at 60")
    #expect(!Phrases.crossovers(inserts).contains("no change"))
  }

  @Test func `the best topologies change also where as many are the best`() throws {
    func figures(best: Set<String>) -> [(String, Double, Double)] {
      ["a", "b", "c", "d", "e", "f"].map { ($0, best.contains($0) ? 10 : 30, 5) }
    }
    let changing = try sweep(
      over: "x", .mainLongestGap,
      [("1", figures(best: ["a", "b", "c"])), ("2", figures(best: ["b", "c", "d"]))])
    #expect(Phrases.short(changing) == "x: the best topologies change once")
    let equal = try sweep(
      over: "x", .mainLongestGap,
      [("1", figures(best: ["a", "b", "c"])), ("2", figures(best: ["a", "b", "c"]))])
    #expect(Phrases.short(equal) == "x: 3 of 6 topologies are best at each value")
  }

  @Test func `a value that is a list is named in full`() throws {
    let both = { (best: String) in ["a", "b"].map { ($0, $0 == best ? 10.0 : 30.0, 5.0) } }
    let values = [("[]", both("a")), (#"["country.name","positions.@count"]"#, both("b"))]
    #expect(
      Phrases.short(try sweep(over: "list.reads", .mainLongestGap, values))
        == "list.reads: a is best at [], b is best at [country.name, positions.@count]")
  }

  @Test func `values that are not ranked change no best topology`() throws {
    let both = { (best: String) in ["a", "b"].map { ($0, $0 == best ? 10.0 : 30.0, 5.0) } }
    let one = [("a", 10.0, 5.0)]
    func title(_ values: [[(String, Double, Double)]]) throws -> String {
      let labels = values.enumerated().map { ("\($0 + 1)", $1) }
      return Phrases.short(try sweep(over: "x", .mainLongestGap, labels))
    }
    #expect(
      try title([both("a"), one, both("a"), one, both("b")])
        == "x: the best topologies change once, and 2 of 5 values are not ranked")
    #expect(
      try title([both("a"), one, both("a"), one, both("a")])
        == "x: a is best at each ranked value, and 2 of 5 values are not ranked")
    #expect(
      try title([both("a"), one, both("b")])
        == "x: a is best at 1, only a was measured at 2, b is best at 3")
  }

  @Test func `too few trials cannot exclude a change of the order`() throws {
    let cells = Self.summary.cells.filter { $0.trial < 4 }
    let sweep = try #require(Summary(cells: cells).sweeps.first)
    #expect(
      Phrases.crossovers(sweep)
        == "A change of the order cannot be excluded: a ranking needs 6 trials, and there are 3. "
        + "By medians alone, these change places: merge and child.")
  }

  @Test func `a value with a single topology does not count as too few trials`() throws {
    let cells = Self.summary.cells
    let last = try #require(cells.last).parameters
    let sweep = try #require(
      Summary(cells: cells.filter { $0.topology == "merge" || $0.parameters != last }).sweeps.first)
    #expect(sweep.trials >= 6)
  }
}
