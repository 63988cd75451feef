/// Above, or below, which readings are doubtful.
enum DiagnosisLimits {
  /// Relative, between trials. Differences of a fifth get lost in few trials above it.
  static let noisySpread = 0.1
  /// In ms. A phone's flash takes milliseconds for a sync.
  static let phoneSync = 1.0
  /// Load for each core. Above it somebody else is at work.
  static let busyLoad = 0.5
  /// Of main's time, spent waiting for a core.
  static let noticeableShare = 0.1
  /// In ms: the interval of the heartbeat.
  static let lateWakeUp = 1.0
  /// Between the sides' times for the same work by SQLite's C API.
  static let noticeableSpeed = 0.05
  /// Of a side's cells. With more suspects, no verdict is possible.
  static let suspectShare = 0.1
}
