import Foundation
import Measurement
import Testing

@Suite struct MetricsTests {
  @Test func `the header row is fixed, with later columns at its end`() {
    #expect(
      CellCSV.header == """
        schema,run_id,started_at,git_sha,label,host_id,scenario,scenario_digest,parameters,\
        topology,store,trial,order,seed,status,error,fingerprint,objects,inserts,updates,deletes,saves,\
        repeats,horizon_ms,total_ms,saved_ms,durable_ms,visible_ms,main_blocked_ms,main_executing_ms,\
        main_waiting_ms,main_wait_parent_ms,main_wait_coordinator_ms,main_wait_sqlite_ms,\
        main_wait_queue_ms,main_wait_other_ms,main_longest_gap_ms,longest_gap_cause,\
        longest_gap_at_ms,main_longest_busy_ms,gaps_over_8ms,gaps_over_16ms,gaps_over_50ms,\
        gaps_over_100ms,gaps_over_250ms,hangs_over_250ms,main_tbt50_ms,hitch_ms,hitch_ms_per_s,\
        frames_due,frames_late,heartbeat_p50_ms,heartbeat_p99_ms,heartbeat_p999_ms,\
        heartbeat_max_ms,heartbeat_wake_p99_ms,tap_mean_ms,tap_p50_ms,tap_p95_ms,tap_p99_ms,tap_max_ms,tap_area_ms2,\
        main_cpu_ms,main_runqueue_ms,main_ui_ms,main_deferred_ms,main_checkpoint_ms,main_statements,\
        main_commits,main_rows_read,main_rows_written,main_objects_copied,main_objects_refreshed,\
        main_faults_fired,main_list_changes,process_cpu_ms,peak_rss_mib,store_mib,\
        context_switches_involuntary,changes_per_s,raw_sqlite_ms,sync_ms,delivered_ms,self_check_reruns,\
        unsteady_counts,pair,side,phase,visible_rows_ms,self_check_unexplained_ms,\
        main_blocked_us_per_change,wal_mib,save_late_p50_ms,save_late_max_ms,main_stale_objects,main_priced_ms,\
        main_instructions,worker_instructions,\
        main_merge_instructions,main_list_instructions,main_push_up_instructions,\
        main_fetch_instructions,main_save_instructions,main_fault_instructions,\
        main_gap_runqueue_ms,worker_statements,main_objects_created,open_blocked_ms,open_longest_gap_ms,\
        open_statements,open_rows_read,open_visible_ms,scroll_longest_gap_ms,scroll_statements,\
        scroll_rows_read,open_instructions,scroll_instructions,asks_about,answer_p50_ms,\
        answer_max_ms,answers_dropped,orphans

        """)
  }

  @Test func `a time's column ends in its unit`() {
    for metric in Metrics.all where metric.kind == .time || metric.kind == .percentile {
      #expect(metric.name.hasSuffix("_ms"), "\(metric.name)")
      #expect(metric.unit == "ms")
    }
  }

  @Test func `each meaning is one line`() {
    for metric in Metrics.all {
      #expect(!metric.meaning.isEmpty && metric.meaning.count <= 60, "\(metric.name)")
      #expect(!metric.meaning.contains("\n"))
    }
  }

  @Test func `only counts are independent of scheduling`() {
    #expect(Metrics.exactCounts.count == 14)
    #expect(Metrics.all.filter(\.isIndependentOfScheduling).allSatisfy { $0.kind == .count })
  }

  @Test func `metrics are found by their names`() {
    #expect(Metrics.named("changes_per_s")?.better == .higher)
    #expect(Metrics.named("no_such_ms") == nil)
  }

  @Test func `blocked time for each change is the blocked time divided`() {
    var window = WindowSample(total: 100, changes: 4)
    window.executing = 1.5
    window.waits = ["parent": 0.5]
    let cell = CellMetrics(samples: [window], horizon: 1, process: ProcessSample())
    #expect(cell.values["main_blocked_us_per_change"] == 500)
    window.changes = 0
    let idle = CellMetrics(samples: [window], horizon: 1, process: ProcessSample())
    #expect(idle.values["main_blocked_us_per_change"] == nil)
  }

  @Test func `zero differs from not measured`() {
    var values = MetricValues()
    #expect(values["total_ms"] == nil)
    values["total_ms"] = 0
    #expect(values["total_ms"] == 0)
    values["total_ms"] = .nan
    #expect(values["total_ms"] == nil)
    #expect(values == MetricValues())
  }

  @Test func `values decode from their JSON, and unknown members are ignored`() throws {
    var values = MetricValues()
    values["total_ms"] = 12.5
    values[label: .longestGapCause] = "merge"
    let data = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode(MetricValues.self, from: data) == values)
    let later = Data(#"{"total_ms":12.5,"longest_gap_cause":"merge","new_ms":{"a":1}}"#.utf8)
    #expect(try JSONDecoder().decode(MetricValues.self, from: later) == values)
  }
}
