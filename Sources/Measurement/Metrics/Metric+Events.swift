extension Metric {
  package static let hitch = time(
    "hitch_ms", "sum of how late each frame was presented", \.window.hitch)
  package static let hitchRate = Metric(
    "hitch_ms_per_s", "ms/s", .rate, "the same per second of horizon; under 5 is good",
    .median { $0.window.hitch / $0.horizon * 1000 })
  package static let framesDue = Metric(
    "frames_due", "", .count, better: .neither, "frames that were due",
    .median { Double($0.window.framesDue) })
  package static let framesLate = Metric(
    "frames_late", "", .count, "frames presented after the next was due",
    .median { Double($0.window.lateFrames) })

  static let frames = [hitch, hitchRate, framesDue, framesLate]
}

extension Metric {
  package static let heartbeatP50 = Metric(
    "heartbeat_p50_ms", "ms", .percentile, "lateness of a no-op due each ms: median",
    .cell { $0.beats.percentile(0.5) })
  package static let heartbeatP99 = Metric(
    "heartbeat_p99_ms", "ms", .percentile, "the same, 99th percentile (from 100 beats)",
    .cell { $0.beats.percentile(0.99) })
  package static let heartbeatP999 = Metric(
    "heartbeat_p999_ms", "ms", .percentile, "the same, 99.9th percentile (from 1,000 beats)",
    .cell { $0.beats.percentile(0.999) })
  package static let heartbeatMax = Metric(
    "heartbeat_max_ms", "ms", .time, "the same, worst", .cell { $0.beats.max })
  package static let heartbeatWakeP99 = Metric(
    "heartbeat_wake_p99_ms", "ms", .percentile, "of beats due while main was idle: noise",
    .cell { $0.wakeBeats.percentile(0.99) })

  package static let heartbeats = [
    heartbeatP50, heartbeatP99, heartbeatP999, heartbeatMax, heartbeatWakeP99,
  ]
}

extension Metric {
  package static let tapMean = time(
    "tap_mean_ms", "wait of a tap at a random instant of the horizon: mean", \.taps.mean)
  package static let tapP50 = Metric(
    "tap_p50_ms", "ms", .percentile, "the same, median", .median { $0.taps.percentile(0.5) })
  package static let tapP95 = Metric(
    "tap_p95_ms", "ms", .percentile, "the same, 95th percentile",
    .median { $0.taps.percentile(0.95) })
  package static let tapP99 = Metric(
    "tap_p99_ms", "ms", .percentile, "the same, 99th percentile",
    .median { $0.taps.percentile(0.99) })
  package static let tapMax = time("tap_max_ms", "the same, worst", \.taps.max)
  package static let tapArea = Metric(
    "tap_area_ms2", "ms²", .area, "half the sum of the squares of the gaps",
    .median { $0.taps.area })

  static let taps = [tapMean, tapP50, tapP95, tapP99, tapMax, tapArea]
}
