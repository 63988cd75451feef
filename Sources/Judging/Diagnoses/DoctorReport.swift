/// What a look at the machine found.
package struct DoctorReport: Sendable {
  package let checks: [MachineCheck]
  /// Nil where it was left out, or too few cells were sound.
  package let noise: MachineNoise?
  /// What can be seen in spite of it; nil with it.
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
