import Foundation
import Measurement
import Queues

/// Runs cells one after the other, each in its own process. Every cell gets a document, even if
/// its process fails.
package struct CellProcess: Sendable {
  private let executable: String
  private let timeLimit: Duration
  private let interrupts: Interrupts

  /// - Parameters:
  ///   - executable: the program that runs a cell when its first argument is `cell`.
  ///   - timeLimit: the time limit for one cell.
  package init(executable: String, timeLimit: Duration, interrupts: Interrupts) {
    self.executable = executable
    self.timeLimit = timeLimit
    self.interrupts = interrupts
  }

  /// How often a cell is run again if its two clocks disagree.
  private static let mostReruns = 2

  /// Runs a cell and returns its document. If the two clocks disagree, runs it again up to twice
  /// and returns the last document. Returns nil after an interrupt.
  ///
  /// Sets `spawnedAt`, creates the specification's folder, and removes it after the cell.
  /// - Throws: the error of creating the folder or starting the process.
  package func run(_ specification: CellSpecification) async throws -> CellDocument? {
    for rerun in 0... {
      guard var document = try await runOnce(specification) else { return nil }
      document.result.metrics[.selfCheckReruns] = Double(rerun)
      if document.result.status != .suspect || rerun == Self.mostReruns { return document }
    }
    return nil
  }

  private func runOnce(_ cell: CellSpecification) async throws -> CellDocument? {
    let folder = URL(fileURLWithPath: cell.folder, isDirectory: true)
    do {
      try FileSystem.makeFolder(at: folder, mode: 0o700)
    } catch {
      throw FileError("create the folder", folder.path, error)
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    // An earlier attempt may have left a recording.
    if let recording = cell.recordTo { try? FileManager.default.removeItem(atPath: recording) }
    var specification = cell
    specification.spawnedAt = SystemClock().now().nanoseconds
    let child = ChildProcess(
      executable: executable, arguments: ["cell"], timeLimit: timeLimit, interrupts: interrupts)
    let outcome = try await child.run(input: try JSONEncoder().encode(specification))
    return document(specification, outcome)
  }

  private func document(
    _ specification: CellSpecification, _ outcome: ChildOutcome
  ) -> CellDocument? {
    switch outcome {
    case .finished(let output):
      do {
        return try JSONDecoder().decode(CellDocument.self, from: output)
      } catch {
        return failed(specification, .crashed, "gave back no document: \(error)")
      }
    case .crashed(let how):
      return failed(specification, .crashed, how)
    case .timedOut:
      let seconds = timeLimit / .seconds(1)
      return failed(
        specification, .timeout, "not done after \(seconds.formatted()) s: a deadlock, or too slow")
    case .interrupted:
      return nil
    }
  }

  private func failed(
    _ specification: CellSpecification, _ status: CellStatus, _ error: String
  ) -> CellDocument {
    var result = CellResult(
      specification, startedAt: Date().formatted(.iso8601), status: status)
    result.error = error.oneLine
    return CellDocument(specification: specification, result: result)
  }
}
