import Measurement
import Testing

@Suite struct CellMetricsTests {
  private func sample(gaps durations: [Double] = [], total: Double = 1000) -> WindowSample {
    var sample = WindowSample(total: total, changes: 100)
    var start = 10.0
    for duration in durations {
      sample.gaps.append(GapSample(start: start, duration: duration, cause: "\(duration)"))
      start += duration + 5
    }
    return sample
  }

  private func metrics(
    _ samples: WindowSample..., horizon: Double = 1000, process: ProcessSample = ProcessSample()
  ) -> MetricValues {
    CellMetrics(samples: samples, horizon: horizon, process: process).values
  }

  @Test func `blocks of 250, 90, 35, 30 and 155 ms exceed 50 ms by 345 ms`() {
    let values = metrics(sample(gaps: [250, 90, 35, 30, 155]))
    #expect(values["main_tbt50_ms"] == 345)
    #expect(values["gaps_over_8ms"] == 5)
    #expect(values["gaps_over_50ms"] == 3)
    #expect(values["gaps_over_100ms"] == 2)
    #expect(values["gaps_over_250ms"] == 0)
    #expect(values["main_longest_gap_ms"] == 250)
    #expect(values[label: .longestGapCause] == "250.0")
    #expect(values["longest_gap_at_ms"] == 10)
  }

  @Test func `300 chained blocks of 1 ms are one busy period and gaps of 1 ms`() {
    var chained = WindowSample(total: 300, changes: 300)
    chained.gaps = (0..<300).map { GapSample(start: Double($0), duration: 1, cause: "save") }
    chained.busyPeriods = [PeriodSample(start: 0, duration: 300)]
    let values = metrics(chained)
    #expect(values["main_longest_busy_ms"] == 300)
    #expect(values["hangs_over_250ms"] == 1)
    #expect(values["main_longest_gap_ms"] == 1)
    #expect(values["tap_max_ms"] == 1)
    #expect(values["tap_mean_ms"] == 0.15)
    #expect(values["main_tbt50_ms"] == 0)
  }

  @Test func `a cell's value is the median over its repeats`() {
    let values = metrics(sample(total: 10), sample(total: 40), sample(total: 20))
    #expect(values["total_ms"] == 20)
    #expect(values["changes_per_s"] == 5000)
  }

  @Test func `a time that a repeat lacks is not measured`() {
    var samples = [sample(), sample(), sample()]
    for (index, delay) in [1.0, 4, 2].enumerated() { samples[index].gapRunqueue = delay }
    #expect(metrics(samples[0], samples[1], samples[2])["main_gap_runqueue_ms"] == 2)
    #expect(metrics(samples[0], sample())["main_gap_runqueue_ms"] == nil)
  }

  @Test func `the parts of blocked time come from the median repeat and add up`() {
    //  repeat   executing  parent  sqlite  blocked
    //  1            10        90       0      100
    //  2            50         0      10       60
    //  3             5         5     100      110
    //  median repeat is 1; medians of each part alone would be 10 + 5 + 10
    var samples = [sample(), sample(), sample()]
    (samples[0].executing, samples[0].waits) = (10, ["parent": 90])
    (samples[1].executing, samples[1].waits) = (50, ["sqlite": 10])
    (samples[2].executing, samples[2].waits) = (5, ["parent": 5, "sqlite": 100])
    let odd = CellMetrics(samples: samples, horizon: 1000, process: ProcessSample()).values
    #expect(odd["main_blocked_ms"] == 100)
    #expect(odd["main_executing_ms"] == 10)
    #expect(odd["main_wait_parent_ms"] == 90)
    #expect(odd["main_wait_sqlite_ms"] == 0)
    let even = metrics(samples[0], samples[1])
    #expect(even["main_blocked_ms"] == 80)
    #expect(even["main_executing_ms"] == 30)
    #expect(even["main_waiting_ms"] == 50)
    #expect(even["main_wait_parent_ms"] == 45)
    #expect(even["main_wait_sqlite_ms"] == 5)
  }

  @Test func `waits of any cause sum to the waiting time`() {
    var one = sample()
    one.waits = ["parent": 1, "coordinator": 2, "sqlite": 4, "queue": 8, "other": 16, "new": 32]
    let values = metrics(one)
    let parts = Metrics.waitCauses.compactMap { values["main_wait_\($0)_ms"] }
    #expect(parts == [1, 2, 4, 8, 48])
    #expect(values["main_waiting_ms"] == 63)
    #expect(values["main_blocked_ms"] == 63)
  }

  @Test func `lateness adds up, and its rate is taken over the longer of horizon and window`() {
    // due at      0     16    32    48
    // presented   1     40    47    70
    var one = sample(total: 100)
    (one.framesDue, one.framesLate) = (4, 2)
    one.frames = zip([0.0, 16, 32, 48], [1.0, 40, 47, 70]).map {
      FrameSample(due: $0, presented: $1)
    }
    let values = metrics(one, horizon: 500)
    // 1 + 24 + 15 + 22
    #expect(values["hitch_ms"] == 62)
    #expect(values["hitch_ms_per_s"] == 124)
    #expect(metrics(one, horizon: 10)["hitch_ms_per_s"] == 620)
    #expect(values["frames_due"] == 4)
    #expect(values["frames_late"] == 2)
  }

  @Test func `frames that are late at once make no more than 1,000 ms a second`() {
    var one = sample(total: 100)
    one.frames = [FrameSample(due: 0, presented: 90), FrameSample(due: 20, presented: 100)]
    #expect(metrics(one, horizon: 10)["hitch_ms"] == 170)
    #expect(metrics(one, horizon: 10)["hitch_ms_per_s"] == 1000)
    #expect(metrics(one)["frames_late"] == nil, "a document of an older build does not say it")
  }

  @Test func `heartbeats are pooled, and a percentile needs enough of them`() {
    var one = sample()
    one.heartbeats = (1...50).map(Double.init)
    #expect(metrics(one)["heartbeat_p99_ms"] == nil)
    #expect(metrics(one)["heartbeat_max_ms"] == 50)
    var other = sample()
    other.heartbeats = (51...100).map(Double.init)
    let values = metrics(one, other)
    #expect(values["heartbeat_p50_ms"] == 50)
    #expect(values["heartbeat_p99_ms"] == 99)
    #expect(values["heartbeat_p999_ms"] == nil)
    #expect(values["heartbeat_wake_p99_ms"] == nil)
    #expect(metrics(sample())["heartbeat_max_ms"] == nil)
    one.heartbeats = (1...1000).map { Double($0) / 10 }
    #expect(metrics(one)["heartbeat_p999_ms"] == 99.9)
  }

  @Test func `a metric that no repeat measured stays empty`() {
    var one = sample()
    one.saved = 5
    let values = metrics(one, sample())
    #expect(values["saved_ms"] == nil)
    #expect(values["visible_ms"] == nil)
    #expect(values["main_deferred_ms"] == nil)
    #expect(values["raw_sqlite_ms"] == nil)
    #expect(values["main_statements"] == nil)
  }

  @Test func `a count that differs between repeats is listed`() {
    var one = sample()
    one.counts = [.mainStatements: 10, .mainCommits: 2]
    var other = one
    #expect(metrics(one)[label: .unsteadyCounts] == nil)
    #expect(metrics(one, other)[label: .unsteadyCounts] == "none")
    other.counts[.mainStatements] = 13
    let cell = CellMetrics(samples: [one, other], horizon: 1, process: ProcessSample())
    #expect(cell.unsteadyCounts == ["main_statements"])
    #expect(cell.values[label: .unsteadyCounts] == "main_statements")
    #expect(cell.values["main_statements"] == 11.5)
    #expect(cell.values["main_commits"] == 2)
  }

  @Test func `the process's samples become metrics`() {
    var process = ProcessSample()
    process.cpu = 120
    process.peakRSSMiB = 33
    process.rawSQLite = [9, 7, 8]
    process.sync = 0.2
    process.selfCheckReruns = 2
    process.selfCheckUnexplained = 1.5
    let values = metrics(sample(), process: process)
    #expect(values["process_cpu_ms"] == 120)
    #expect(values["raw_sqlite_ms"] == 8)
    #expect(values["sync_ms"] == 0.2)
    #expect(values["self_check_reruns"] == 2)
    #expect(values["self_check_unexplained_ms"] == 1.5)
    #expect(values["context_switches_involuntary"] == nil)
  }

  @Test func `the longest block's cause belongs to the repeat in the middle`() {
    let values = metrics(sample(gaps: [5]), sample(gaps: [20, 7]), sample(gaps: [30]))
    #expect(values["main_longest_gap_ms"] == 20)
    #expect(values[label: .longestGapCause] == "20.0")
  }

  @Test func `a cell without a block has no cause`() {
    let values = metrics(sample())
    #expect(values["main_longest_gap_ms"] == 0)
    #expect(values[label: .longestGapCause] == nil)
    #expect(values["longest_gap_at_ms"] == nil)
  }
}
