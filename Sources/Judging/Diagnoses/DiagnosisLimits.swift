/// Readings beyond these limits are doubtful.
enum DiagnosisLimits {
  /// Relative, between trials. Above it few trials hide differences of a fifth.
  static let noisySpread = 0.1
  /// In ms. A phone's flash takes milliseconds for a sync.
  static let phoneSync = 1.0
  /// Above it the trials show the machine, not the topologies.
  static let uselessSpread = 0.4
  /// Load for each core. Above it other programs work.
  static let busyLoad = 0.5
  /// Above it a cell has less than a third of the machine.
  static let uselessLoad = 2.0
  /// Of main's time, waiting for a core.
  static let noticeableShare = 0.1
  /// Above it main waits longer than it works.
  static let uselessShare = 1.0
  /// Of the processors' time, taken by other guests of the host. Less cannot move a median.
  static let noticeableSteal = 0.01
  static let uselessSteal = 0.1
  /// In ms: the interval of the heartbeat.
  static let lateWakeUp = 1.0
  /// Between the sides' times for the same work by SQLite's C API.
  static let noticeableSpeed = 0.05
  /// Of a side's cells. With more, no verdict is possible.
  static let suspectShare = 0.1
}
