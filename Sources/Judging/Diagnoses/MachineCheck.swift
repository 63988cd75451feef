package struct MachineCheck: Codable, Sendable, Equatable {
  /// Such as `governor`.
  package let subject: String
  /// Nil if the machine does not say.
  package let reading: String?
  package let diagnosis: Diagnosis?

  /// - Parameter isDoubtful: nil counts as no.
  init(
    _ subject: String, _ reading: String?, isDoubtful: Bool?,
    _ diagnosis: @autoclosure () -> Diagnosis
  ) {
    self.subject = subject
    self.reading = reading
    self.diagnosis = reading != nil && isDoubtful == true ? diagnosis() : nil
  }

  package var isDoubtful: Bool { diagnosis.map { $0.grade != .good } ?? false }
}

extension MachineReading {
  /// Without mere noise.
  package var diagnoses: [Diagnosis] { checks.filter(\.isDoubtful).compactMap(\.diagnosis) }
}
