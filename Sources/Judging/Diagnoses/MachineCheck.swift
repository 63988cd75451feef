/// One reading of a machine, and why it makes results doubtful.
package struct MachineCheck: Codable, Sendable, Equatable {
  /// Such as `governor`.
  package let subject: String
  /// As people read it; nil where the machine does not tell.
  package let reading: String?
  /// Nil where nothing is to be done.
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
  /// Reasons why results of this machine may be shifted. Mere noise is left out.
  package var diagnoses: [Diagnosis] { checks.filter(\.isDoubtful).compactMap(\.diagnosis) }
}
