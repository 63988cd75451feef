import Testing

@testable import Judging
@testable import Measurement
import MeasurementSamples

struct SweepTests {
  /// Eight trials of a topology at a value, around `blocked`.
  static func cells(
    _ topology: String, _ value: String, _ blocked: Double, field: String = "changes.per_save",
    ui: Double? = nil, moods: [Double] = Self.steady
  ) -> [CellResult] {
    moods.enumerated().map { index, mood in
      CellResult.sample(topology, trial: index + 1, blocked: blocked * mood) {
        let isWord = Double(value) == nil
        $0.parameters = #"{"\#(field)":\#(isWord ? "\"\(value)\"" : value)}"#
        $0.scenarioDigest = value
        $0.metrics["main_ui_ms"] = ui
      }
    }
  }

  static let steady = [1.0, 1.02, 0.97, 1.05, 0.99, 1.01, 1.03, 0.98]

  @Test func `two topologies change places where both sides are separated`() throws {
    let cells =
      Self.cells("a", "1", 10) + Self.cells("b", "1", 30)
      + Self.cells("a", "500", 30) + Self.cells("b", "500", 10)
    let sweep = try #require(Sweep.all(in: cells).first)
    #expect(sweep.field == "changes.per_save" && sweep.fixed.isEmpty)
    #expect(sweep.points.map(\.value.text) == ["1", "500"])
    let crossover = try #require(sweep.crossovers.first)
    #expect(sweep.crossovers.count == 1 && sweep.unclear.isEmpty)
    #expect(crossover.before == "a" && crossover.after == "b")
    #expect(crossover.from.text == "1" && crossover.to.text == "500")
    #expect(abs((crossover.estimate ?? 0) - 250.5) < 1)
  }

  @Test func `values that do not separate the two are skipped`() throws {
    // at        1      50     500     all
    // a        10      20      30      30
    // b        30      20      31?     10       50 and 500: sometimes one, sometimes the other
    let mixed = [1.1, 0.9, 1.1, 0.9, 1.1, 0.9, 1.1, 0.9]
    let cells =
      Self.cells("a", "1", 10) + Self.cells("b", "1", 30)
      + Self.cells("a", "50", 20) + Self.cells("b", "50", 20, moods: mixed)
      + Self.cells("a", "500", 30) + Self.cells("b", "500", 30, moods: mixed)
      + Self.cells("a", "all", 30) + Self.cells("b", "all", 10)
    let sweep = try #require(Sweep.all(in: cells).first)
    #expect(sweep.points.map(\.value.text) == ["1", "50", "500", "all"])
    #expect(sweep.crossovers.map { [$0.from.text, $0.to.text] } == [["1", "all"]])
    #expect(sweep.crossovers[0].estimate == nil, "a word is nowhere between numbers")
  }

  @Test func `medians that change places without being separated are unclear`() throws {
    let mixed = [1.3, 0.8, 1.3, 0.8, 1.3, 0.8, 1.3, 0.9]
    let cells =
      Self.cells("a", "1", 10) + Self.cells("b", "1", 30)
      + Self.cells("a", "2", 20) + Self.cells("b", "2", 18, moods: mixed.reversed())
    let sweep = try #require(Sweep.all(in: cells).first)
    #expect(sweep.crossovers.isEmpty)
    #expect(sweep.unclear.map(\.before) == ["a"])
  }

  @Test func `a pair may change places twice`() throws {
    let cells = [("1", 10.0), ("2", 50), ("3", 10)].flatMap { value, blocked in
      Self.cells("a", value, blocked) + Self.cells("b", value, 30)
    }
    let sweep = try #require(Sweep.all(in: cells).first)
    #expect(
      sweep.crossovers.map { [$0.before, $0.after, $0.from.text] }
        == [["a", "b", "1"], ["b", "a", "2"]])
  }

  @Test func `each of two swept fields is a sweep at every value of the other`() {
    var cells: [CellResult] = []
    for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      for var cell in Self.cells("a", "0", 10) {
        cell.parameters = #"{"x":\#(x),"y":\#(y)}"#
        cells.append(cell)
      }
    }
    let sweeps = Sweep.all(in: cells)
    #expect(
      sweeps.map { "\($0.field) at \($0.fixed.map { "\($0)=\($1.text)" })" }.sorted() == [
        #"x at ["y=0"]"#, #"x at ["y=1"]"#, #"y at ["x=0"]"#, #"y at ["x=1"]"#,
      ])
  }

  @Test func `each field that varies one at a time is one sweep`() {
    var cells: [CellResult] = []
    for (x, y) in [(0, 0), (1, 0), (2, 0), (0, 1)] {
      for var cell in Self.cells("a", "0", 10) {
        cell.parameters = #"{"x":\#(x),"y":\#(y)}"#
        cells.append(cell)
      }
    }
    let sweeps = Sweep.all(in: cells)
    #expect(sweeps.map(\.field).sorted() == ["x", "y"])
    #expect(sweeps.map(\.points.count).sorted() == [2, 3])
  }

  @Test func `where drawing is swept, drawing counts`() throws {
    let field = "drawing.delta_us"
    let cells =
      Self.cells("a", "0", 10, field: field, ui: 0) + Self.cells("b", "0", 20, field: field, ui: 0)
      + Self.cells("a", "9", 10, field: field, ui: 40)
      + Self.cells("b", "9", 20, field: field, ui: 5)
    let sweep = try #require(Sweep.all(in: cells).first)
    #expect(sweep.measure == .blockedAndDrawing)
    #expect(sweep.crossovers.map(\.after) == ["b"])
  }

  @Test func `a value that is only set is no sweep, and cells that are not ok do not count`() {
    #expect(Sweep.all(in: Self.cells("a", "1", 10)).isEmpty)
    #expect(Sweep.all(in: [.sample()]).isEmpty)
    var failed = Self.cells("a", "2", 10)
    for index in failed.indices { failed[index].status = .crashed }
    #expect(Sweep.all(in: Self.cells("a", "1", 10) + failed).isEmpty)
  }

  @Test func `numbers are in the order of their size, and words come last`() {
    let values = ["all", "500", "0.5", "50"].map(SweptValue.init).sorted()
    #expect(values.map(\.text) == ["0.5", "50", "500", "all"])
  }
}
