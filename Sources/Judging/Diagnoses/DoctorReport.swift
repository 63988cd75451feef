package struct DoctorReport: Codable, Sendable {
  package let checks: [MachineCheck]
  /// Nil if it was not measured, or too few cells were sound.
  package let noise: MachineNoise?
  /// The regressions that a duet can find in spite of the noise; nil without it.
  package let outlook: DuetOutlook?
  /// Cells of the noise measurement that did not end `ok`.
  package let badCells: Int
  /// Whether the processors were kept from sleeping while noise was measured.
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
