/// Readings of a machine that can make figures doubtful. Nil: the machine does not tell.
package struct MachineReading: Codable, Sendable, Equatable {
  /// `debug` or `release`, of the measuring program.
  package var build: String?
  package var kernel: String?
  package var sqlite: String?
  /// The compiler, the architecture and the libraries, on which instructions depend.
  package var toolchain: String?
  package var cores: Int?
  package var isVirtual: Bool?
  /// Whether the processors were kept from sleeping while cells ran.
  package var keepsAwake: Bool?
  /// The average number of runnable threads over one minute, including SCHED_IDLE threads, which
  /// take nothing from a cell.
  package var load: Double?
  /// Runnable threads of other programs at the time of the reading, without SCHED_IDLE threads.
  package var competing: Double?
  /// The share of CPU time that another guest of the same host took, in percent.
  package var steal: Double?
  /// How the clock frequency is chosen, such as `performance`.
  package var governor: String?
  /// Whether the clock may rise above what the processor can hold.
  package var turbo: Bool?
  /// Whether each process has its memory at other addresses.
  package var randomisesAddresses: Bool?
  /// How late, in ms, a thread wakes up from a wait.
  package var wakeUp: Double?
  /// The share of its time, from 0 to 1, for which a busy thread waited for a core.
  package var runQueueShare: Double?
  package var fileSystem: String?
  /// Median time of one fsync there, in ms.
  package var sync: Double?
  package var memoryMiB: Double?
  package var availableMiB: Double?
  /// The share of the last ten seconds in which something waited for memory, in percent.
  package var memoryPressure: Double?

  /// Whether events were charged at a device's prices. A doctor has no run, and no value.
  package var isPriced: Bool?

  package init() {}

  /// The load that can disturb a cell: the lesser of `load` and `competing`.
  ///
  /// The average contains loads that ended minutes ago, and idle threads that keep processors
  /// awake. `competing` may count a short burst. A lasting load shows in both.
  package var disturbingLoad: Double? {
    load.map { min($0, competing ?? $0) }
  }
}
