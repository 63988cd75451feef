package import Foundation
import Judging
import Measurement

// How a counted cell runs:
//
//   program ── strip -g ──▶ copy without debug information, which valgrind's reader fails on
//                             ▼
//   valgrind --tool=callgrind ── copy cell ──▶ document on standard output
//                             └──▶ count-01, count-02 …: one file a thread

package struct Callgrind: Sendable {
  private let valgrind: String
  private let program: String
  /// The folder of the original program, which may hold its libraries.
  private let libraries: String
  private let parts: [String]

  /// Copies the program into an existing folder.
  ///
  /// - Parameter name: the copy's name. Names of one length keep the stacks of two programs alike.
  /// - Throws: `HarnessError` if a tool is missing or fails.
  package static func prepare(
    _ executable: String, in folder: URL, as name: String = "program", parts: [String] = [],
    interrupts: Interrupts
  ) async throws -> Callgrind {
    let (valgrind, strip) = (try tool("valgrind"), try tool("strip"))
    let copy = folder.appendingPathComponent(name).path
    let child = ChildProcess(
      executable: strip, arguments: ["-g", "-o", copy, executable], timeLimit: .seconds(300),
      interrupts: interrupts)
    switch try await child.run(input: Data()) {
    // After an interrupt nothing runs the copy.
    case .finished, .interrupted: break
    case .crashed(let how):
      throw HarnessError("strip cannot copy '\(executable)' to '\(copy)': \(how)")
    case .timedOut: throw HarnessError("strip cannot copy '\(executable)' in 300 s")
    }
    return Callgrind(
      valgrind: valgrind, program: copy,
      libraries: URL(fileURLWithPath: executable).deletingLastPathComponent().path, parts: parts)
  }

  package static func requireTools() throws(HarnessError) {
    for name in ["valgrind", "strip"] { _ = try tool(name) }
  }

  private static func tool(_ name: String) throws(HarnessError) -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let found = path.split(separator: ":").map { "\($0)/\(name)" }
      .first(where: FileManager.default.isExecutableFile)
    guard let found else {
      throw HarnessError(
        "\(name) is missing, which counts need. Type: apt-get install valgrind binutils")
    }
    return found
  }

  var runs: [String] { ["all"] + parts }

  /// The run that counts the phase that a scenario asks about, instead of the window of changes.
  static let askedPhase = "phase"

  func command(in folder: String) -> (executable: String, arguments: [String]) {
    (
      valgrind,
      [
        // No pipes for a debugger, which a killed valgrind would leave in TMPDIR.
        "-q", "--vgdb=no", "--tool=callgrind", "--separate-threads=yes", "--instr-atstart=no",
        "--collect-atstart=no", "--callgrind-out-file=\(folder)/count", program, "cell",
      ]
    )
  }

  /// Removes what differs between two processes: hash seeds, and when symbols are bound.
  var environment: [String: String] {
    let inherited = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
    return [
      "SWIFT_DETERMINISTIC_HASHING": "1", "LD_BIND_NOW": "1",
      "LD_LIBRARY_PATH": libraries + inherited,
    ]
  }
}

struct InstructionTotals: Equatable {
  var main = 0
  var workers = 0

  init(in folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    self.init(
      try names.filter { $0.hasPrefix("count-") }.map {
        let file = URL(fileURLWithPath: folder).appendingPathComponent($0)
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
      })
  }

  /// A thread's file names the function that started its counting, and has the sum in a line
  /// `totals:` (https://valgrind.org/docs/manual/cl-format.html).
  init(_ files: [String]) {
    for file in files {
      let sum = file.split(separator: "\n").last { $0.hasPrefix("totals:") }
      let count = sum?.split(separator: " ").last.flatMap { Int($0) } ?? 0
      if file.contains("clinux_toggle_main_count") {
        main += count
      } else {
        workers += count
      }
    }
  }

  /// False if nothing was counted. Only a part of main's work may have no instructions.
  func areCounts(of slices: String) -> Bool {
    Metric.countedParts.contains(slices) || main > 0 || workers > 0
  }
}

extension CellResult {
  mutating func note(_ totals: InstructionTotals, of slices: String) {
    guard slices != Callgrind.askedPhase else {
      return metrics[question.instructions] = Double(totals.main)
    }
    guard let part = Metric.countedParts.firstIndex(of: slices) else {
      metrics[.mainInstructions] = Double(totals.main)
      metrics[.workerInstructions] = Double(totals.workers)
      return
    }
    metrics[Metric.instructionParts[part]] = Double(totals.main)
  }
}
