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
    #expect(Axis.linear(to: largest).ticks.map(Axis.label) == labels)
  }

  @Test func `a linear axis begins at zero and holds the largest value`() {
    for largest in [0.0007, 0.02, 3, 17.4, 99.99, 100, 12_345, 9.9e8] {
      let axis = Axis.linear(to: largest)
      #expect(axis.lower == 0 && axis.upper == largest)
      #expect((3...6).contains(axis.ticks.count), "\(largest)")
      let areWithin = axis.ticks.allSatisfy { $0 <= largest * 1.000001 }
      #expect(areWithin)
      #expect(axis.percent(0) == 0 && axis.percent(axis.upper) == 100)
    }
  }

  @Test func `ticks of counts are whole numbers`() {
    #expect(Axis.linear(to: 1, hasWholeTicks: true).ticks == [0, 1])
    #expect(Axis.linear(to: 12, hasWholeTicks: true).ticks == [0, 5, 10])
  }

  @Test func `an axis is logarithmic if positive values differ by more than 50 times`() {
    #expect(!Axis.fitting([0, 1, 50]).isLogarithmic && Axis.fitting([0, 1, 51]).isLogarithmic)
    #expect(!Axis.fitting([]).isLogarithmic && !Axis.fitting([0, 0]).isLogarithmic)
  }

  @Test func `each step of a logarithmic axis is as wide as the next`() {
    let axis = Axis.logarithmic(from: 0.2, to: 1000)
    #expect(axis.ticks.map(Axis.label) == ["0.1", "1", "10", "100", "1,000"])
    let places = axis.ticks.map { axis.percent($0).rounded() }
    #expect(places == [0, 25, 50, 75, 100])
    // What cannot lie on it is held at its edge.
    #expect(axis.percent(0) == 0 && axis.percent(1e9) == 100)
    #expect(Axis.logarithmic(from: 0.1, to: 180).upper == 180)
  }

  @Test func `an axis of waits shows the limits that lie on it, and always a frame`() {
    #expect(Axis.waits([0.2]).limits.map(\.words) == ["frame"])
    #expect(Axis.waits([0.2, 120]).limits.map(\.words) == ["frame", "noticed"])
    #expect(Axis.waits([5, 300]).limits.map(\.words) == ["frame", "noticed", "hang"])
  }
}
