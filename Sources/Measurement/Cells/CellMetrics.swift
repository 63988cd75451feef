/// From the samples of a cell's repeats to the cell's metrics.
///
/// A cell's value is the median over its repeats; heartbeats are pooled. Where figures are parts of
/// a whole (`main_executing_ms` and the waits by cause, of `main_blocked_ms`) or belong to one
/// event (cause and instant of the longest block), they are taken from the repeats that give the
/// whole its median, so that the parts still add up.
package struct CellMetrics: Sendable, Equatable {
  package private(set) var values = MetricValues()
  /// Counts independent of scheduling that were not the same in every repeat.
  package private(set) var unsteadyCounts: [String] = []

  private let samples: [WindowSample]
  private let horizon: Double

  /// - Parameters:
  ///   - samples: one for each repeat; at least one.
  ///   - horizon: the scenario's `horizon_ms`, greater than zero.
  package init(samples: [WindowSample], horizon: Double, process: ProcessSample) {
    precondition(!samples.isEmpty, "a cell has at least one repeat")
    self.samples = samples
    self.horizon = horizon
    measureWindow()
    measureBlocked()
    measureLongestGap()
    measureGaps()
    measureFrames()
    measureHeartbeats()
    measureTaps()
    measureMainThread()
    measureCounts()
    measure(process)
  }

  private mutating func measureWindow() {
    values["total_ms"] = median { $0.total }
    values["saved_ms"] = median { $0.saved }
    values["durable_ms"] = median { $0.durable }
    values["visible_ms"] = median { $0.visible }
    values["delivered_ms"] = median { $0.delivered }
    values["visible_rows_ms"] = median { $0.visibleRows }
    values["changes_per_s"] = median { $0.total > 0 ? Double($0.changes) / $0.total * 1000 : nil }
  }

  private mutating func measureBlocked() {
    let middle = Self.middle(samples.sorted { $0.blocked < $1.blocked })
    func mean(_ part: (WindowSample) -> Double) -> Double {
      middle.map(part).reduce(0, +) / Double(middle.count)
    }
    values["main_blocked_ms"] = mean(\.blocked)
    values["main_executing_ms"] = mean(\.executing)
    values["main_waiting_ms"] = mean(\.waiting)
    for cause in Metrics.waitCauses {
      values["main_wait_\(cause)_ms"] = mean { $0.wait(for: cause) }
    }
  }

  private mutating func measureLongestGap() {
    let longest = samples.map { $0.gaps.max { $0.duration < $1.duration } }
    let middle = Self.middle(longest.sorted { ($0?.duration ?? 0) < ($1?.duration ?? 0) })
    values["main_longest_gap_ms"] =
      middle.map { $0?.duration ?? 0 }.reduce(0, +) / Double(middle.count)
    values[label: "longest_gap_cause"] = middle[0]?.cause
    values["longest_gap_at_ms"] = middle[0]?.start
    values["main_longest_busy_ms"] = median { $0.busyPeriods.map(\.duration).max() ?? 0 }
  }

  private mutating func measureGaps() {
    for limit in Metrics.gapLimits {
      values["gaps_over_\(limit)ms"] = median { sample in
        Double(sample.gaps.count { $0.duration > Double(limit) })
      }
    }
    values["hangs_over_250ms"] = median { Double($0.busyPeriods.count { $0.duration > 250 }) }
    values["main_tbt50_ms"] = median { $0.gaps.reduce(0) { $0 + max(0, $1.duration - 50) } }
  }

  private mutating func measureFrames() {
    values["hitch_ms"] = median(\.hitch)
    values["hitch_ms_per_s"] = median { $0.hitch / horizon * 1000 }
    values["frames_due"] = median { Double($0.framesDue) }
    values["frames_late"] = median { sample in
      Double(sample.frames.count { $0.presented > $0.due + sample.frameInterval })
    }
  }

  private mutating func measureHeartbeats() {
    let beats = HeartbeatPercentiles(samples.lazy.flatMap(\.heartbeats))
    values["heartbeat_p50_ms"] = beats.percentile(0.5)
    values["heartbeat_p99_ms"] = beats.percentile(0.99)
    values["heartbeat_p999_ms"] = beats.percentile(0.999)
    values["heartbeat_max_ms"] = beats.max
    let wakes = HeartbeatPercentiles(samples.lazy.flatMap(\.wakeHeartbeats))
    values["heartbeat_wake_p99_ms"] = wakes.percentile(0.99)
  }

  private mutating func measureTaps() {
    let taps = samples.map { TapWait(gaps: $0.gaps, horizon: horizon) }
    values["tap_mean_ms"] = Statistics.median(taps.map(\.mean))
    values["tap_p50_ms"] = Statistics.median(taps.map { $0.percentile(0.5) })
    values["tap_p95_ms"] = Statistics.median(taps.map { $0.percentile(0.95) })
    values["tap_p99_ms"] = Statistics.median(taps.map { $0.percentile(0.99) })
    values["tap_max_ms"] = Statistics.median(taps.map(\.max))
    values["tap_area_ms2"] = Statistics.median(taps.map(\.area))
  }

  private mutating func measureMainThread() {
    values["main_cpu_ms"] = median { $0.cpu }
    values["main_runqueue_ms"] = median { $0.runqueue }
    values["main_ui_ms"] = median { $0.ui }
    values["main_deferred_ms"] = median { $0.mainAfter }
    values["main_checkpoint_ms"] = median { $0.checkpoint }
  }

  private mutating func measureCounts() {
    for name in Metrics.exactCounts {
      let counts = samples.map { $0.counts[name] }
      values[name] = median { sample in sample.counts[name].map(Double.init) }
      if Set(counts).count > 1 { unsteadyCounts.append(name) }
    }
    guard samples.count > 1 else { return }
    let unsteady = unsteadyCounts.joined(separator: " ")
    values[label: "unsteady_counts"] = unsteady.isEmpty ? "none" : unsteady
  }

  private mutating func measure(_ process: ProcessSample) {
    values["process_cpu_ms"] = process.cpu
    values["peak_rss_mib"] = process.peakRSSMiB
    values["store_mib"] = process.storeMiB
    values["context_switches_involuntary"] = process.involuntaryContextSwitches.map(Double.init)
    values["raw_sqlite_ms"] = Statistics.median(process.rawSQLite)
    values["sync_ms"] = process.sync
    values["self_check_reruns"] = Double(process.rulerReruns)
    values["self_check_unexplained_ms"] = process.rulerUnexplained
  }

  /// The median over the repeats; nil unless every repeat has the value.
  private func median(_ value: (WindowSample) -> Double?) -> Double? {
    let values = samples.compactMap(value)
    return values.count == samples.count ? Statistics.median(values) : nil
  }

  /// The element, or the two, whose mean is the median of what is sorted.
  private static func middle<T>(_ sorted: [T]) -> [T] {
    let upper = sorted.count / 2
    let range = sorted.count.isMultiple(of: 2) ? upper - 1..<upper + 1 : upper..<upper + 1
    return Array(sorted[range])
  }
}

extension WindowSample {
  var hitch: Double { frames.reduce(0) { $0 + max(0, $1.presented - $1.due) } }

  func wait(for cause: String) -> Double {
    guard cause == "other" else { return waits[cause] ?? 0 }
    let named = Metrics.waitCauses.dropLast()
    return waits.reduce(0) { named.contains($1.key) ? $0 : $0 + $1.value }
  }
}
