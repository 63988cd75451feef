/// What a machine tells of what could make figures doubtful. Nil is *the machine does not tell*.
package struct MachineReading: Codable, Sendable, Equatable {
  /// `debug` or `release`: of the program that measured.
  package var build: String?
  package var kernel: String?
  package var sqlite: String?
  package var cores: Int?
  /// Whether it is a guest of another machine.
  package var isVirtual: Bool?
  /// Whether the processors were kept from sleeping while cells ran.
  package var keepsAwake: Bool?
  /// The average over one minute, of all threads that ran or wanted to, those included that take
  /// nothing from a cell (SCHED_IDLE).
  package var load: Double?
  /// The threads of others that ran or wanted to when the machine was looked at, those left out that
  /// run only where nothing else would.
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
  /// The share of the time of a thread that always wants to run for which it did not, from 0 to 1.
  package var runQueueShare: Double?
  /// Where the stores lie.
  package var fileSystem: String?
  /// Median time of one fsync there, in ms.
  package var sync: Double?
  package var memoryMiB: Double?
  package var availableMiB: Double?
  /// The share of the last ten seconds in which something waited for memory, in percent.
  package var memoryPressure: Double?

  package init() {}

  /// The load that can disturb a cell: the lesser of the average and what was seen.
  ///
  /// The average remembers for minutes what has ended: another run's cells, and the threads that kept
  /// its processors awake, which never took anything. What is seen in a moment may be a moment's. A
  /// load that lasts is in both.
  package var disturbingLoad: Double? {
    load.map { min($0, competing ?? $0) }
  }
}
