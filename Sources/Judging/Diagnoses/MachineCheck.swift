/// One reading of a machine, and why it makes results doubtful.
package struct MachineCheck: Codable, Sendable, Equatable {
  /// Such as `governor`.
  package let subject: String
  /// Nil if the machine does not report it.
  package let reading: String?
  package let diagnosis: Diagnosis?

  /// `diagnosis` gets the reading. An unknown reading has no diagnosis.
  package init(
    _ subject: String, _ reading: String?, isDoubtful: Bool? = nil,
    _ diagnosis: (String) -> Diagnosis? = { _ in nil }
  ) {
    self.subject = subject
    self.reading = reading
    self.diagnosis = isDoubtful == true ? reading.flatMap(diagnosis) : nil
  }

  package var isDoubtful: Bool { diagnosis.map { $0.grade != .good } ?? false }
}

package struct DoctorReport: Codable, Sendable {
  /// The program and the machine, by key of the environment file.
  package let environment: [String: String]
  package let checks: [MachineCheck]
  /// Nil if not measured, or too few cells were sound.
  package let noise: MachineNoise?
  package let outlook: DuetOutlook?
  /// How long noise was measured; nil if not.
  package let noiseSeconds: Double?
  package let badCells: Int
  /// Whether processors were kept awake while noise was measured.
  package let keepsAwake: Bool

  package init(
    _ checks: [MachineCheck], of environment: [String: String] = [:], keepsAwake: Bool = false,
    noise: MachineNoise?, outlook: DuetOutlook?, noiseSeconds: Double? = nil, badCells: Int = 0
  ) {
    self.environment = environment
    self.checks = checks
    self.noise = noise
    self.outlook = outlook
    self.noiseSeconds = noiseSeconds
    self.badCells = badCells
    self.keepsAwake = keepsAwake
  }
}
