import Foundation
import Judging

// The way of a property, declared once in `MachineProperties` or `ProgramProperties`:
//
//   capture ──▶ MachineReading ──▶ NAME.env.json ──▶ the page, the documentation
//                    │     ◀──────────┘
//                    ├──▶ check: the doctor's table, diagnoses
//                    └──▶ difference: `compare`, `gate`, `--resume`

/// A property of the machine or the program, with its key in `NAME.env.json`.
package struct MachineProperty<Value: Codable & Sendable>: DeclaredMachineProperty {
  let key: String
  let meaning: String
  let variation: MachineVariation
  private let capture: @Sendable (MachineProbe) -> Value?
  private let fallback: Value?
  private(set) var check: (@Sendable (MachineReading) -> MachineCheck)?
  private(set) var difference: MachineDifference?

  /// - Parameters:
  ///   - meaning: a clause for the documentation, with the unit.
  ///   - fallback: the value of readings without this property.
  ///   - capture: returns nil if the machine does not report the value.
  init(
    _ variation: MachineVariation, _ key: String, _ meaning: String, fallback: Value? = nil,
    _ capture: @escaping @Sendable (MachineProbe) -> Value?
  ) {
    (self.variation, self.key, self.meaning) = (variation, key, meaning)
    (self.fallback, self.capture) = (fallback, capture)
  }

  /// Comparisons say that `name` differs.
  func compared(
    as name: String, _ show: @escaping @Sendable (Value) -> String = { "\($0)" }
  ) -> Self {
    changed { [self] in
      $0.difference = MachineDifference(name: name) { value(in: $0).map(show) }
    }
  }

  /// Adds a line to the doctor's table. `diagnosis` gets the shown value.
  func checked(
    _ subject: String, _ show: @escaping @Sendable (Value) -> String = { "\($0)" },
    isDoubtful: @escaping @Sendable (Value) -> Bool,
    _ diagnosis: @escaping @Sendable (String, MachineReading) -> Diagnosis
  ) -> Self {
    checked { [self] machine in
      let value = value(in: machine)
      return MachineCheck(subject, value.map(show), isDoubtful: value.map(isDoubtful)) {
        diagnosis($0, machine)
      }
    }
  }

  /// Adds a line of several properties to the doctor's table.
  func checked(_ check: @escaping @Sendable (MachineReading) -> MachineCheck) -> Self {
    changed { $0.check = check }
  }

  private func changed(_ change: (inout Self) -> Void) -> Self {
    var result = self
    change(&result)
    return result
  }

  func value(in machine: MachineReading) -> Value? {
    machine.values[key] as? Value ?? fallback
  }

  func encoded(in machine: MachineReading) -> (any MachineValue)? { value(in: machine) }

  func captured(from probe: MachineProbe) -> (any MachineValue)? { capture(probe) }

  func decoded(from file: MachineReading.File) -> (any MachineValue)? {
    let key = MachineReading.Key(stringValue: key)
    let text = try? file.decode(String.self, forKey: key)
    if text == Machine.unavailable || text == "" { return nil }
    return (try? file.decode(Value.self, forKey: key)) ?? text.flatMap(Self.numbers)
  }

  /// Earlier versions wrote numbers as text.
  private static func numbers(in text: String) -> Value? {
    let numbers = text.split(separator: " ").compactMap { Double($0) }.filter(\.isFinite)
    return numbers.isEmpty ? nil : numbers as? Value ?? numbers.first as? Value
  }

  func text(in machine: MachineReading) -> String {
    switch value(in: machine) {
    case nil: Machine.unavailable
    case let number as Double: Figures.plain(number)
    case let list as [String]: list.joined(separator: " ")
    case let table as [String: String]:
      table.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
    case let value?: "\(value)"
    }
  }
}

typealias MachineValue = Codable & Sendable

enum MachineVariation: Sendable {
  /// A setting must stay the same in one run. It is compared if both sides could read it.
  case setting
  /// A state may change during a run. Each resumption records it again.
  case state
}

struct MachineDifference: Sendable {
  /// A clause begins with `the` and this name.
  let name: String
  let text: @Sendable (MachineReading) -> String?
}

/// A property of any type.
protocol DeclaredMachineProperty: Sendable {
  var key: String { get }
  /// A clause for the documentation, with the unit.
  var meaning: String { get }
  /// A line of the doctor's table.
  var check: (@Sendable (MachineReading) -> MachineCheck)? { get }
  var variation: MachineVariation { get }
  var difference: MachineDifference? { get }

  func captured(from probe: MachineProbe) -> (any MachineValue)?
  func encoded(in machine: MachineReading) -> (any MachineValue)?
  func decoded(from file: MachineReading.File) -> (any MachineValue)?
  /// For messages.
  func text(in machine: MachineReading) -> String
}

package enum Switch: String, Codable, Sendable {
  case on
  case off

  init(_ isOn: Bool) { self = isOn ? .on : .off }
}
