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

  /// Saves that were written read back the same.
  func readSaves(_ bytes: [UInt8]) {
    guard let saves = try? [RecordedSave](csv: bytes, file: "saves.csv", isQuoted: false),
      saves.contains(where: { !$0.counts.values.allSatisfy { $0.total == 0 } })
    else { return }
    let written = saves.csv
    let again = try? [RecordedSave](csv: Array(written.utf8), file: "saves.csv", isQuoted: false)
    precondition(again?.csv == written, "saves changed on their way")
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
