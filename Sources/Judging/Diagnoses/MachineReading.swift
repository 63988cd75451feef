/// Readings that can make figures doubtful. Nil means that the machine does not report it.
package struct MachineReading: Codable, Sendable, Equatable {
  /// `debug` or `release`, of the measuring program.
  package var build: String?
  package var kernel: String?
  package var sqlite: String?
  /// The compiler, the architecture and the libraries, on which instructions depend.
  package var toolchain: String?
  package var cores: Int?
  package var isVirtual: Bool?
  /// Whether processors were kept awake while cells ran.
  package var keepsAwake: Bool?
  /// Runnable threads on average over a minute, with SCHED_IDLE threads, which take nothing from a
  /// cell.
  package var load: Double?
  /// Runnable threads of other programs at the reading, without SCHED_IDLE threads.
  package var competing: Double?
  /// CPU time that other guests of the host took, in percent.
  package var steal: Double?
  /// Such as `performance`.
  package var governor: String?
  /// Whether the clock may rise above what the processor can hold.
  package var turbo: Bool?
  package var randomisesAddresses: Bool?
  /// How late a thread wakes up from a wait, in ms.
  package var wakeUp: Double?
  /// The share of its time for which a busy thread waited for a core, from 0 to 1.
  package var runQueueShare: Double?
  package var fileSystem: String?
  /// Median time of one fsync on that file system, in ms.
  package var sync: Double?
  package var memoryMiB: Double?
  package var availableMiB: Double?
  /// Time in the last ten seconds in which something waited for memory, in percent.
  package var memoryPressure: Double?

  /// Whether the scenarios charge a device's prices. Nil for the doctor command, which has no run.
  package var isPriced: Bool?

  package init() {}

  /// The load that can disturb a cell.
  ///
  /// The average contains loads that have ended and idle threads that keep processors awake.
  /// `competing` may count a short burst. A lasting load shows in both.
  package var disturbingLoad: Double? {
    load.map { min($0, competing ?? $0) }
  }
}

package struct DoctorReport: Codable, Sendable {
  package let checks: [MachineCheck]
  /// Nil if not measured, or too few cells were sound.
  package let noise: MachineNoise?
  package let outlook: DuetOutlook?
  package let badCells: Int
  /// Whether processors were kept awake while noise was measured.
  package let keepsAwake: Bool

  package init(
    _ machine: MachineReading, noise: MachineNoise?, outlook: DuetOutlook?, badCells: Int = 0
  ) {
    checks = machine.checks
    self.noise = noise
    self.outlook = outlook
    self.badCells = badCells
    keepsAwake = machine.keepsAwake ?? false
  }
}
