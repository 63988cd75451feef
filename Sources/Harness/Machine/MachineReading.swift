import Foundation
package import Judging

/// The values of a machine's declared properties. Nil means that the machine does not report it.
@dynamicMemberLookup
package struct MachineReading: Sendable {
  /// By key.
  fileprivate(set) var values: [String: any MachineValue] = [:]
  /// Whether the scenarios charge a device's prices. Nil for the doctor command, which has no run.
  package var isPriced: Bool?
  /// Sentences about what could not be read. No file holds them.
  package fileprivate(set) var failures: [String] = []

  package init() {}

  /// In the order of the declarations.
  static let properties: [any DeclaredMachineProperty] =
    ([ProgramProperties.declared, MachineProperties.declared] as [Any]).flatMap { declared in
      Mirror(reflecting: declared).children.compactMap { $0.value as? any DeclaredMachineProperty }
    }

  init(from probe: MachineProbe) {
    for property in Self.properties { values[property.key] = property.captured(from: probe) }
    failures = probe.failures
  }

  package subscript<Value>(
    dynamicMember property: KeyPath<MachineProperties, MachineProperty<Value>>
  ) -> Value? {
    get { self[MachineProperties.declared[keyPath: property]] }
    set { self[MachineProperties.declared[keyPath: property]] = newValue }
  }

  package subscript<Value>(
    dynamicMember property: KeyPath<ProgramProperties, MachineProperty<Value>>
  ) -> Value? {
    get { self[ProgramProperties.declared[keyPath: property]] }
    set { self[ProgramProperties.declared[keyPath: property]] = newValue }
  }

  private subscript<Value>(property: MachineProperty<Value>) -> Value? {
    get { property.value(in: self) }
    set { values[property.key] = newValue }
  }
}

extension MachineReading {
  package var load: Double? { self.loadAverage?.first }

  /// The load that can disturb a cell.
  ///
  /// The average contains loads that have ended and idle threads that keep processors awake.
  /// `competing` may count a short burst. A lasting load shows in both.
  package var disturbingLoad: Double? { load.map { min($0, self.competing ?? $0) } }

  /// Nil if the load or the number of cores is unknown.
  func isBusy(_ load: Double?) -> Bool? {
    guard let load, let cores = self.cores else { return nil }
    return load / Double(max(1, cores)) > DiagnosisLimits.busyLoad
  }

  /// The properties that instruction counts depend on; nil if unknown.
  package var toolchain: String? {
    guard self.architecture != nil, self.cLibrary != nil else { return nil }
    let packages = (self.dependencies ?? [:]).sorted { $0.key < $1.key }.map { "\($0) \($1)" }
    let versions = [self.build, self.swift, self.architecture, self.sqlite, self.cLibrary]
    return (versions.map { $0 ?? Machine.unavailable } + packages).joined(separator: ", ")
  }

  /// The program and the machine, by key, for readers who do not have them.
  package var described: [String: String] {
    let (program, machine) = (ProgramProperties.declared, MachineProperties.declared)
    let properties = [
      program.topobench, program.gitSHA, program.swift, program.architecture, program.sqlite,
      machine.cpu, machine.os, machine.kernel,
    ]
    return properties.reduce(into: [:]) { $0[$1.key] = $1.value(in: self) }
  }

  /// Without those graded `good`.
  package var diagnoses: [Diagnosis] { checks.filter(\.isDoubtful).compactMap(\.diagnosis) }

  /// In the order of the doctor's table.
  package var checks: [MachineCheck] {
    Self.properties.compactMap { $0.check?(self) } + (isPriced == true ? [.prices] : [])
  }

  /// Whether both readings are known to be of one machine.
  func isOfMachine(_ other: MachineReading) -> Bool {
    if let own = self.hostID, let theirs = other.hostID { return own == theirs }
    return self.boot != nil && self.boot == other.boot
  }

  /// The settings that differ, with both values. A machine that may be another one counts as
  /// changed.
  func changes(to now: MachineReading) -> [String] {
    let hostID = MachineProperties.declared.hostID.key
    let boot = MachineProperties.declared.boot.key
    // What tells the machine apart: its ID if both have one, else the boot.
    let evidence = self.hostID != nil && now.hostID != nil ? hostID : boot
    return Self.properties.filter { $0.variation == .setting }.compactMap { property in
      let isKnown = [self, now].allSatisfy { property.encoded(in: $0) != nil }
      let (before, after) = (property.text(in: self), property.text(in: now))
      let isEqual =
        [hostID, boot].contains(property.key)
        ? property.key != evidence || isOfMachine(now) : before == after || !isKnown
      return isEqual ? nil : "\(property.key) was '\(before)', is '\(after)'"
    }
  }
}

extension MachineCheck {
  fileprivate static let prices = MachineCheck("prices", "charged", isDoubtful: true) { _ in
    Diagnosis(
      "times contain a device's prices",
      evidence: "main_priced_ms is main's part while changes arrive")
  }
}

extension MachineReading: Codable {
  typealias File = KeyedDecodingContainer<Key>

  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: Key.self)
    for property in Self.properties { values[property.key] = property.decoded(from: file) }
  }

  package func encode(to encoder: any Encoder) throws {
    try encode(Self.properties, to: encoder)
  }

  func encode(_ properties: [any DeclaredMachineProperty], to encoder: any Encoder) throws {
    var file = encoder.container(keyedBy: Key.self)
    for property in properties {
      let value: any MachineValue = property.encoded(in: self) ?? Machine.unavailable
      try file.encode(value, forKey: Key(stringValue: property.key))
    }
  }
}
