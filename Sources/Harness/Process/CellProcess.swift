import Foundation
package import Judging
import Measurement
import Queues
import Repeats

/// Runs each cell in its own process. A cell gets a document even if its process fails.
package struct CellProcess: Sendable {
  private let executable: String
  private let timeLimit: Duration
  private let interrupts: Interrupts
  private let callgrind: Callgrind?

  /// `callgrind` counts a copy of `executable`.
  package init(
    executable: String, timeLimit: Duration, interrupts: Interrupts, callgrind: Callgrind? = nil
  ) {
    self.executable = executable
    // Under callgrind a cell takes up to fifty times as long.
    self.timeLimit = callgrind == nil ? timeLimit : timeLimit * 50
    self.interrupts = interrupts
    self.callgrind = callgrind
  }

  private static let mostReruns = 2

  /// Runs a cell and returns its document; nil after an interrupt. If its two clocks disagree, runs
  /// it again up to twice.
  ///
  /// Sets `spawnedAt`, creates the specification's folder, and removes it after the cell.
  /// - Parameter mark: its place in a duet.
  /// - Throws: the error of creating the folder or starting the process.
  package func run(
    _ specification: CellSpecification, mark: DuetMark? = nil
  ) async throws -> CellDocument? {
    var reruns: Int?
    var document: CellDocument?
    if let callgrind {
      document = try await count(specification, with: callgrind)
    } else {
      repeat {
        reruns = reruns.map { $0 + 1 } ?? 0
        document = try await runOnce(specification)
      } while document?.result.status == .suspect && reruns != Self.mostReruns
    }
    document?.result.note(reruns: reruns, mark: mark)
    return document
  }

  private func count(
    _ specification: CellSpecification, with callgrind: Callgrind
  ) async throws -> CellDocument? {
    var counted: CellDocument?
    var runs = callgrind.runs
    while !runs.isEmpty {
      let slices = runs.removeFirst()
      var specification = specification
      specification.counted = slices
      // A path of the same length for every cell.
      specification.folder =
        URL(fileURLWithPath: specification.folder).deletingLastPathComponent()
        .appendingPathComponent("counted", isDirectory: true).path
      var totals = InstructionTotals([])
      let document = try await runOnce(specification) { totals = try InstructionTotals(in: $0) }
      guard let document else { return nil }
      if counted == nil {
        counted = document
        if document.result.question.phase != .change { runs.append(Callgrind.askedPhase) }
      }
      guard document.result.status == .ok, document.result.isCounted, totals.areCounts(of: slices)
      else {
        return failedCount(document)
      }
      counted?.result.note(totals, of: slices)
    }
    return counted
  }

  private func failedCount(_ document: CellDocument) -> CellDocument {
    var document = document
    if document.result.status == .ok {
      document.result.fail(
        .crashed, "callgrind counted no instructions: this build cannot count")
      document.result.metrics = MetricValues()
    }
    document.result.isCounted = true
    return document
  }

  /// - Parameter read: reads files in the cell's folder before it is removed.
  private func runOnce(
    _ cell: CellSpecification, read: (_ folder: String) throws -> Void = { _ in }
  ) async throws -> CellDocument? {
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
    let (program, arguments) = callgrind?.command(in: folder.path) ?? (executable, ["cell"])
    let child = ChildProcess(
      executable: program, arguments: arguments, timeLimit: timeLimit,
      interrupts: interrupts, environment: callgrind?.environment ?? [:])
    let outcome = try await child.run(input: try JSONEncoder().encode(specification))
    try read(folder.path)
    return document(specification, outcome)
  }

  private func document(
    _ specification: CellSpecification, _ outcome: ChildOutcome
  ) -> CellDocument? {
    switch outcome {
    case .finished(let output):
      do {
        return try CellDocument(json: output)
      } catch {
        return failed(specification, .crashed, "gave back no document: \(error)")
      }
    case .crashed(let how): return failed(specification, .crashed, how)
    case .timedOut(let threads):
      return failed(specification, .timeout, timedOut(specification, threads))
    case .interrupted: return nil
    }
  }

  private func timedOut(_ specification: CellSpecification, _ threads: String) -> String {
    let progress = CellProgress.text(in: URL(fileURLWithPath: specification.folder))
    let states = [progress, threads.isEmpty ? nil : threads].compactMap { $0 }
    return "not done after \((timeLimit / .seconds(1)).formatted()) s"
      + (states.isEmpty ? "" : ": \(states.joined(separator: "; "))")
      + ". Give more time with --timeout, or find a deadlock with TOPOBENCH_CONCURRENCY_DEBUG=1"
  }

  private func failed(
    _ specification: CellSpecification, _ status: CellStatus, _ error: String
  ) -> CellDocument {
    var result = CellResult(specification, startedAt: Date().formatted(.iso8601), status: status)
    result.fail(status, error)
    return CellDocument(specification: specification, result: result)
  }
}
