import DataModel
import Foundation
import Harness
import Judging
import Measurement
import Repeats
import Support
import Workload

// Readers of files that people and other programs write, with their guarantees for arbitrary bytes:
//
//   scripts/fuzz, for minutes: inputs derived from Seeds/<reader> ─┐
//   the tests, for a moment: the seeds, and damaged copies ────────┴▶ nothing, or a trap
//
// An input that revealed a defect stays in Found/<reader>. The tests read it too.

package enum FuzzedReader: String, CaseIterable {
  /// As `compare` and `--resume` read them.
  case report
  case rows
  case scenario
  /// A value of `--set`.
  case setting
  /// A line of a plan.
  case specification
  /// As `collect --plan` reads it.
  case plan
  /// The output of cells, and the page drawn from it.
  case documents
  case policy
  /// The report of a duet or of two sides.
  case sides
  /// As `trace` draws it.
  case recording
  /// `NAME.env.json`.
  case environment
  /// An app's log of its saves, and the scenario made from it.
  case log
  /// The file of `changes.saves`.
  case saves
  /// The prices of a device.
  case device

  /// Traps if the reader violates a guarantee.
  package func read(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .report: readReport([UInt8](bytes))
    case .rows:
      for file in ["rows.csv", "rows.tsv", "rows.json"] {
        _ = try? DataSet([UInt8](bytes), file: file, entity: Fixture.entity)
      }
    case .scenario: readScenario(String(decoding: bytes, as: UTF8.self), set: [])
    case .setting:
      readScenario(Fixture.yaml, set: [String(decoding: bytes, as: UTF8.self)])
    case .specification: readSpecification(Data(bytes))
    case .documents: readDocuments(Data(bytes))
    case .policy: readPolicy(String(decoding: bytes, as: UTF8.self))
    case .sides: readSides([UInt8](bytes))
    case .recording: readRecording(Data(bytes))
    case .environment: readEnvironment(Data(bytes))
    case .plan: readPlan(Data(bytes))
    case .log: readLog(String(decoding: bytes, as: UTF8.self))
    case .saves: readSaves([UInt8](bytes))
    case .device: readDevice(Data(bytes))
    }
  }

  /// Pieces read like the whole, and a valid report is the same after writing it.
  private func readReport(_ bytes: [UInt8]) {
    precondition(CellCSV.endOfLastRow(in: bytes) <= bytes.count)
    let whole = Self.outcome { try CellCSV.decode(bytes) }
    let inPieces = Self.outcome { try cells(in: bytes, pieces: Int(bytes.first ?? 0) % 7 + 2) }
    precondition(whole.cells == inPieces.cells, "pieces are read otherwise")
    precondition(whole.error == inPieces.error, "pieces have another mistake")
    guard let cells = whole.cells else { return }
    let written = CellCSV.text(cells)
    guard let again = try? CellCSV.decode(written) else {
      preconditionFailure("a report that was written cannot be read")
    }
    precondition(CellCSV.text(again) == written, "a report changed on its way")
    precondition(CellCSV.endOfLastRow(in: Array(written.utf8)) == written.utf8.count)
  }

  private static func outcome(
    _ read: () throws -> [CellResult]
  ) -> (cells: [CellResult]?, error: String?) {
    do {
      return (try read(), nil)
    } catch {
      return (nil, "\(error)")
    }
  }

  private func cells(in bytes: [UInt8], pieces: Int) throws -> [CellResult] {
    var cells: [CellResult] = []
    var decoder = CellCSVDecoder()
    let size = bytes.count / pieces + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
      try decoder.feed(bytes[start..<min(bytes.count, start + size)]) { cell, _ in
        cells.append(cell)
      }
    }
    try decoder.finish { cell, _ in cells.append(cell) }
    return cells
  }

  /// A cell's process receives a scenario as overrides, which must produce the same scenario.
  func readScenario(_ yaml: String, file: String = Fixture.file, set: [String]) {
    guard let scenarios = try? Scenario.decode(yaml: yaml, file: file, set: set) else { return }
    for scenario in scenarios.prefix(20) {
      let again = try? Scenario.decode(yaml: yaml, file: file, set: scenario.overrides)
      precondition(again?.count == 1, "overrides make no scenario: \(scenario.overrides)")
      precondition(again?.first?.parametersJSON == scenario.parametersJSON, "another scenario")
      _ = try? StoreModel(scenario)
    }
  }

  private func readSpecification(_ data: Data) {
    guard let cell = try? JSONDecoder().decode(CellSpecification.self, from: data) else { return }
    let again = (try? JSONEncoder().encode(cell)).flatMap {
      try? JSONDecoder().decode(CellSpecification.self, from: $0)
    }
    precondition(again == cell, "a specification changed on its way")
  }

  /// Errors name the file. A valid policy can be used for judging.
  private func readPolicy(_ yaml: String) {
    do {
      let policy = try PolicyFile.decode(yaml, file: Fixture.policy)
      guard let today = CalendarDay("2026-06-01") else { preconditionFailure("it is a day") }
      _ = Gate(policy: policy, today: today)
        .judge(Matching(baseline: SideCells([]), candidate: SideCells([])))
    } catch {
      precondition(error.description.hasPrefix("\(Fixture.policy):"), error.description)
    }
  }
}

enum Fixture {
  /// A scenario finds its data from here.
  static let file = ScenarioLibrary.sourceTree + "/Scenarios/fuzzed.yaml"
  static let policy = "policy.yaml"
  static let yaml =
    (try? String(
      contentsOfFile: ScenarioLibrary.sourceTree + "/Scenarios/5000-cities.yaml", encoding: .utf8))
    ?? ""
  static let entity = RowDescription(
    name: "Thing",
    attributes: AttributeType.allCases.map {
      AttributeDescription($0.rawValue, $0, isOptional: $0 != .int64)
    }, keyIndex: 0)
}
