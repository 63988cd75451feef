import Foundation
import Testing

/// Stops all processes, but only at the traced calls. A tracer that stopped main at each call would
/// delay its answers, and the cell would be suspect.
let strace = "strace -f --seccomp-bpf -o trace.txt -e signal=none"

func canTrace() -> Bool { (try? CommandRun().shell("\(strace) true").status) == 0 }

/// Debian's strace shows and changes system calls. It may be missing, or forbidden in a container.
@Suite("A report on the disk", .enabled("strace cannot trace here") { canTrace() })
struct SyncTests {
  private let command = CommandRun()

  /// Runs two cells under strace.
  private func run(
    _ options: String, _ more: String..., output: String = "report.csv"
  ) throws -> CommandRun.Outcome {
    let arguments = CommandRun.small(trials: 2, rows: 60, output: output) + more
    let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
    return try command.shell(
      "\(strace) -y \(options) \"$topobench\" \(quoted) --quiet")
  }

  @Test func `each cell's document and row are synced before the next cell starts`() throws {
    let outcome = try run("-e trace=fsync,execve")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let trace = try command.text("trace.txt")
    #expect(cellsAndSyncs(in: trace) == Self.keptCell + Self.keptCell, "\(trace)")
    // The report's own name, once.
    let folder = command.folder.standardizedFileURL.path(percentEncoded: false)
    let named = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let syncs = trace.split(separator: "\n").filter { $0.contains("fsync(") }
    #expect(syncs.count { $0.contains("<\(named)>") } == 1, "\(trace)")
  }

  private static let synced = ["report.cells/", "report.cells>", "report.csv>"]
  private static let keptCell = ["cell"] + synced

  /// A suspect cell, which runs again before it is kept, is one cell.
  private func cellsAndSyncs(in trace: String) -> [String] {
    let calls = trace.split(separator: "\n").compactMap { line -> String? in
      guard !line.contains("resumed>") else { return nil }
      if line.contains("execve("), line.contains("\"cell\"]") { return "cell" }
      return line.contains("fsync(") ? Self.synced.first { line.contains($0) } : nil
    }
    return calls.indices.filter { $0 == 0 || calls[$0] != "cell" || calls[$0 - 1] != "cell" }
      .map { calls[$0] }
  }

  @Test func `each cell of a duet is synced before the next one starts`() throws {
    let binary = CommandRun.executable("topobench").path
    let outcome = try command.shell(
      """
      \(strace) -y -e trace=fsync,execve "$topobench" duet --quiet \
        --baseline-binary '\(binary)' --candidate-binary '\(binary)' --most-pairs 8 \
        --scenario '\(CommandRun.fewCities)' --set data.rows=60 --set repeat_for_ms=1 \
        --topology main-only --output report.csv
      """)
    // So few pairs may be too noisy to tell, or flag a difference by chance.
    #expect([0, 2, 4].contains(outcome.status), "\(outcome.errors)")
    let trace = try command.text("trace.txt")
    let cells = [[String]](repeating: Self.keptCell, count: try command.cells("report.csv").count)
    #expect(cellsAndSyncs(in: trace) == cells.flatMap { $0 }, "\(trace)")
  }

  @Test func `the names of all new folders are synced, each once`() throws {
    let outcome = try run("-e trace=fsync", output: "a/b/c/report.csv")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let trace = try command.text("trace.txt")
    let syncs = trace.split(separator: "\n").filter { $0.contains("fsync(") }
    let name = command.folder.lastPathComponent
    for folder in [name, "\(name)/a", "\(name)/a/b", "\(name)/a/b/c"] {
      #expect(syncs.count { $0.contains("/\(folder)>") } == 1, "\(folder): \(trace)")
    }
  }

  @Test func `a restored row is synced also if no cell follows`() throws {
    let file = command.folder.appending(path: "report.csv").path
    #expect(try run("-e trace=none").status == 0)
    let whole = try command.text("report.csv")
    try command.write(String(whole.dropLast(30)), to: "report.csv")
    let outcome = try run("-P '\(file)' -e trace=write,fsync", "--resume")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try command.text("report.csv") == whole)
    let trace = try command.text("trace.txt")
    let calls = trace.split(separator: "\n").filter { $0.contains("report.csv>") }
    #expect(calls.contains { $0.contains("write(") }, "\(trace)")
    #expect(calls.last?.contains("fsync(") == true, "\(trace)")
  }

  @Test func `a disk that cannot keep a row ends the run`() throws {
    let file = command.folder.appending(path: "report.csv").path
    let outcome = try run("-P '\(file)' -e trace=fsync -e inject=fsync:error=EIO")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cannot write"), "\(outcome.errors)")
    #expect(outcome.errors.contains("input/output error"), "\(outcome.errors)")
  }
}
