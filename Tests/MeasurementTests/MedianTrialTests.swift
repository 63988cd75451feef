import Measurement
import Testing

@Suite struct MedianTrialTests {
  private func cell(_ order: Int, _ blocked: Double?, waiting: Double = 0) -> CellResult {
    var cell = CellResult(
      runID: "r", startedAt: "", scenario: "s", topology: "t", store: "pool", trial: order,
      order: order, seed: 1, status: .ok)
    cell.metrics["main_blocked_ms"] = blocked
    cell.metrics["main_waiting_ms"] = waiting
    cell.metrics["main_executing_ms"] = blocked.map { $0 - waiting }
    return cell
  }

  @Test func `an odd number of trials has one in the middle, an even number two`() {
    let odd = MedianTrial([cell(1, 30), cell(2, 10), cell(3, 20)], by: .mainBlocked)
    #expect(odd?.middle.map(\.order) == [3])
    let even = MedianTrial([cell(1, 30), cell(2, 10), cell(3, 20), cell(4, 40)], by: .mainBlocked)
    #expect(even?.middle.map(\.order) == [3, 1])
    #expect(even?.shown.order == 3)
  }

  @Test func `the median trial is that of the given blocked time`() {
    let cells = [(10.0, 30.0), (20, 10), (30, 20)].enumerated().map { index, blocked in
      var cell = cell(index, blocked.0)
      cell.metrics[.openBlocked] = blocked.1
      return cell
    }
    #expect(MedianTrial(cells, by: .mainBlocked)?.shown.order == 1)
    #expect(MedianTrial(cells, by: .openBlocked)?.shown.order == 2)
    #expect(MedianTrial(cells, by: .mainDeferred) == nil)
  }

  @Test func `parts of the middle add up to the median`() {
    let cells = [cell(1, 30, waiting: 7), cell(2, 10), cell(3, 20, waiting: 1), cell(4, 40)]
    let median = MedianTrial(cells, by: .mainBlocked)
    #expect(median?.mean(.mainBlocked) == 25)
    #expect(median?.mean(.mainWaiting) == 4 && median?.mean(.mainExecuting) == 21)
    #expect(median?.mean(.total) == nil)
  }

  @Test func `cells that failed or were not measured are ignored`() {
    var crashed = cell(1, 5)
    crashed.status = .crashed
    #expect(MedianTrial([crashed, cell(2, nil)], by: .mainBlocked) == nil)
    #expect(MedianTrial([crashed, cell(2, nil), cell(3, 9)], by: .mainBlocked)?.shown.order == 3)
    // Among equals the first measured.
    #expect(MedianTrial([cell(5, 9), cell(4, 9), cell(6, 9)], by: .mainBlocked)?.shown.order == 5)
  }

  @Test func `the median repeat has the median blocked time`() {
    let windows = [30.0, 10, 20, 40].map { executing in
      var window = WindowSample(total: 50, changes: 1)
      window.executing = executing
      return window
    }
    #expect(windows.medianRepeat?.blocked == 20)
    #expect([WindowSample]().medianRepeat == nil)
  }
}
