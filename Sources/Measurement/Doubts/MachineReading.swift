/// What a machine tells of what could make figures doubtful. Nil is *the machine does not tell*.
package struct MachineReading: Codable, Sendable, Equatable {
  /// `debug` or `release`: of the program that measured.
  package var build: String?
  package var kernel: String?
  package var sqlite: String?
  package var cores: Int?
  /// The average over one minute.
  package var load: Double?
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
}
