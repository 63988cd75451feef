import Judging
import Testing

@testable import Reports

@Suite struct AxisTests {
  private static let labels: [(Double, [String])] = [
    (0, ["0", "0.2", "0.4", "0.6", "0.8", "1"]), (1, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    (61.2, ["0", "20", "40", "60"]), (80, ["0", "20", "40", "60", "80"]),
    (0.003, ["0", "0.001", "0.002", "0.003"]), (4_321, ["0", "1,000", "2,000", "3,000", "4,000"]),
  ]

  @Test(arguments: labels)
  func `an axis has three to six ticks at round numbers`(largest: Double, labels: [String]) {
    #expect(Axis.linear(to: largest, "").ticks.map(Axis.label) == labels)
  }

  @Test func `a linear axis begins at zero and holds the largest value`() {
    for largest in [0.0007, 0.02, 3, 17.4, 99.99, 100, 12_345, 9.9e8] {
      let axis = Axis.linear(to: largest, "")
      #expect(axis.lower == 0 && axis.upper == largest)
      #expect((3...6).contains(axis.ticks.count), "\(largest)")
      let areWithin = axis.ticks.allSatisfy { $0 <= largest * 1.000001 }
      #expect(areWithin)
      #expect(axis.percent(0) == 0 && axis.percent(axis.upper) == 100)
    }
  }

  @Test func `ticks of counts are whole numbers`() {
    #expect(Axis.linear(to: 1, "", hasWholeTicks: true).ticks == [0, 1])
    #expect(Axis.linear(to: 12, "", hasWholeTicks: true).ticks == [0, 5, 10])
  }

  @Test func `each step of a logarithmic axis is as wide as the next`() {
    let axis = Axis.logarithmic(from: 0.1, to: 180, "")
    #expect(axis.ticks.map(Axis.label) == ["0.1", "1", "10", "100", "1,000"])
    let places = axis.ticks.map { axis.percent($0).rounded() }
    #expect(places == [0, 25, 50, 75, 100])
    // What cannot lie on it is held at its edge.
    #expect(axis.percent(0) == 0 && axis.percent(1e9) == 100)
  }

  private static let fineTicks: [(Double, [Double])] = [
    (31, [5, 15, 25]), (7, [1, 3, 5, 7]), (24, []), (0.4, [0.05, 0.15, 0.25, 0.35]), (1, [0.1]),
  ]

  @Test(arguments: fineTicks)
  func `a wide page has ticks at halves of 1 and 2`(largest: Double, ticks: [Double]) {
    let fine = Axis.linear(to: largest, "").fineTicks
    #expect(fine.prefix(ticks.count).elementsEqual(ticks) { abs($0 - $1) < 1e-9 }, "\(fine)")
    #expect(fine.isEmpty == ticks.isEmpty)
  }

  @Test func `swept values have labels where these do not touch`() {
    func labelled(_ labels: [String], _ places: [Double]) -> [Int] {
      SweepDrawing.labelled(labels, at: places)
    }
    #expect(labelled(["0", "20", "200"], [0, 7, 70]) == [0, 1, 2])
    #expect(labelled(["0", "10,000", "60,000"], [0, 5, 70]) == [0, 2])
    #expect(labelled(["1", "2", "3", "4"], [0, 2, 4, 6]) == [0, 3])
    #expect(labelled(["1"], [0]) == [0])
  }

  @Test func `names at the ends of lines keep their distance`() {
    let places = NamedLines.apart([10, 11, 12, 95, 100], by: 15, within: 0...100)
    #expect(places == [10, 25, 40, 85, 100])
  }

  private static let places: [([String], [Double])] = [
    (["0", "5", "10"], [0, 0.5, 1]), (["1", "10", "100"], [0, 0.5, 1]),
    (["0", "1", "100"], [0, 1.0 / 3, 1]), (["5", "10", "all"], [0, 0.5, 1]), (["a"], [0]),
    (["a", "b"], [0, 1]),
  ]

  @Test(arguments: places)
  func `swept numbers lie on an axis, and words after it`(values: [String], places: [Double]) {
    let found = SweepDrawing.places(values.map(SweptValue.init))
    #expect(zip(found, places).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test(arguments: [(12.0, "12"), (0.5, "0.5"), (33.333, "33.33"), (-0.05, "-0.05"), (7.1, "7.1")])
  func `coordinates are as short as they can be`(value: Double, text: String) {
    #expect(Coordinate.text(value) == text)
  }
}
