extension Metric {
  package static let hitch = time(
    "hitch_ms", "how late frames come on screen, summed", \.window.hitch)
  package static let hitchRate = Metric(
    "hitch_ms_per_s", "ms/s", .rate, "how late frames come on screen, per second; below 5 is good",
    .median(\.hitchRate))
  package static let framesDue = Metric(
    "frames_due", "", .count, better: .neither, "frames that were due",
    .median { Double($0.window.framesDue) })
  package static let framesLate = Metric(
    "frames_late", "", .count, "due frames that were not on screen when the next was due",
    .median { $0.window.framesLate.map(Double.init) })

  static let frames = [hitch, hitchRate, framesDue, framesLate]
}

extension Metric {
  package static let heartbeatP50 = Metric(
    "heartbeat_p50_ms", "ms", .percentile, "how late main answers a no-op due each ms: median",
    .cell { $0.beats.percentile(0.5) })
  package static let heartbeatP99 = Metric(
    "heartbeat_p99_ms", "ms", .percentile,
    "how late main answers a no-op due each ms: 99th percentile",
    .cell { $0.beats.percentile(0.99) })
  package static let heartbeatP999 = Metric(
    "heartbeat_p999_ms", "ms", .percentile,
    "how late main answers a no-op due each ms: 99.9th percentile",
    .cell { $0.beats.percentile(0.999) })
  package static let heartbeatMax = Metric(
    "heartbeat_max_ms", "ms", .time, "how late main answers a no-op due each ms: worst",
    .cell { $0.beats.max })
  package static let heartbeatWakeP99 = Metric(
    "heartbeat_wake_p99_ms", "ms", .percentile,
    "how late an idle main answers: 99th percentile, noise",
    .cell { $0.wakeBeats.percentile(0.99) })

  package static let heartbeats = [
    heartbeatP50, heartbeatP99, heartbeatP999, heartbeatMax, heartbeatWakeP99,
  ]
}

extension Metric {
  package static let tapMean = time(
    "tap_mean_ms", "how long a tap at a random instant waits for main: mean", \.taps.mean)
  package static let tapP50 = Metric(
    "tap_p50_ms", "ms", .percentile, "how long a tap at a random instant waits: median",
    .median { $0.taps.percentile(0.5) })
  package static let tapP95 = Metric(
    "tap_p95_ms", "ms", .percentile, "how long a tap at a random instant waits: 95th percentile",
    .median { $0.taps.percentile(0.95) })
  package static let tapP99 = Metric(
    "tap_p99_ms", "ms", .percentile, "how long a tap at a random instant waits: 99th percentile",
    .median { $0.taps.percentile(0.99) })
  package static let tapMax = time(
    "tap_max_ms", "how long a tap at a random instant waits: worst", \.taps.max)
  package static let tapArea = Metric(
    "tap_area_ms2", "ms²", .area, "half the sum of the squares of main's gaps",
    .median { $0.taps.area })

  static let taps = [tapMean, tapP50, tapP95, tapP99, tapMax, tapArea]
}
