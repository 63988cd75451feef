import Foundation
import Harness
import Measurement
import Workload

// Inputs that become scenarios. Those name other files, so they are read from a folder.

extension FuzzedReader {
  func readPlan(_ data: Data) {
    let lines = CellDocuments.lines(of: data)
    let cells = lines.compactMap {
      try? JSONDecoder().decode(CellSpecification.self, from: $0.text)
    }
    guard cells.count == lines.count else { return }
    let missing = try? CellCollection().missing(of: cells)
    precondition(missing?.count == cells.count, "cells of an empty collection are not missing")
  }

  /// Any valid log becomes a valid scenario.
  func readLog(_ text: String) {
    guard let log = try? SaveLog(text: text, file: "app.jsonl") else { return }
    inFolder { folder in
      let file = folder.appending(path: "fuzzed.yaml").path
      let made: LoggedScenario
      do { made = try LoggedScenario(log, file: file) } catch { return }
      try Data(made.saves.utf8).write(to: URL(filePath: LoggedScenario.savesFile(of: file)))
      let scenarios = try Scenario.decode(yaml: made.yaml, file: file, set: [])
      precondition(scenarios.count == 1, "a log makes several scenarios")
    }
  }

  /// Saves that were written read back the same. Saves without a change are left out.
  func readSaves(_ bytes: [UInt8]) {
    guard let saves = try? Self.saves(bytes) else { return }
    let changes = saves.map { $0.counts.filter { $0.value.total > 0 } }.filter { !$0.isEmpty }
    // A scenario refuses other names of entities.
    let hasNames = changes.joined().allSatisfy { $0.key.allSatisfy { $0.isLetter || $0.isNumber } }
    guard !changes.isEmpty, hasNames else { return }
    guard let again = try? Self.saves(Array(saves.csv.utf8)) else {
      preconditionFailure("saves that were written cannot be read")
    }
    precondition(again.map(\.counts) == changes, "saves changed on their way")
    precondition((try? Self.saves(Array(again.csv.utf8))) == again, "saves changed again")
  }

  private static func saves(_ bytes: [UInt8]) throws -> [RecordedSave] {
    try [RecordedSave](csv: bytes, file: "saves.csv", isQuoted: false)
  }

  func readDevice(_ data: Data) {
    inFolder { folder in
      let devices = folder.appending(path: "devices", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: devices, withIntermediateDirectories: true)
      try data.write(to: devices.appending(path: "fuzzed.yaml"))
      readScenario(Self.priced, file: folder.appending(path: "fuzzed.yaml").path, set: [])
    }
  }

  private static let priced = """
    name: fuzzed
    asks: What does a device of these prices cost?
    entity: { name: Row, key: number, attributes: { number: int64, text: string } }
    generate: { rows: 10 }
    changes: { stream: incremental, per_save: 5 }
    device: fuzzed
    list: { visible_rows: 12 }
    horizon_ms: 100
    repeat_for_ms: 0

    """

  /// Traps if the body throws.
  private func inFolder(_ body: (URL) throws -> Void) {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "topobench-fuzzed-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try body(folder)
    } catch { preconditionFailure("\(error)") }
  }
}
