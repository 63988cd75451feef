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
