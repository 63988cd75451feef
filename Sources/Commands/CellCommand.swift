import ArgumentParser
import Foundation
import Harness
import Workload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct CellCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cell",
    abstract: "Run one cell: specification on standard input, document on standard output.",
    discussion: """
      Both are JSON of the protocol '\(CellSpecification.protocolVersion)'; the document is one line. \
      Anything else that the cell prints goes to standard error.

      A line of `topobench plan` is a specification for any machine. The cell gets a folder in \
      TMPDIR, its own process and a time limit. It runs again if it is suspect, and has a document \
      even if it crashes. The exit status is 0 if there is a document; `topobench collect` reports \
      bad cells.
      """)

  @Flag(help: "Check the specification without measuring.")
  var check = false

  func run() async throws {
    let output = try StandardOutput.takeOver()
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if check {
      let answer = CellCheck(
        of: input, topobench: Executable.version, gitSHA: Executable.notedRevision,
        topologies: KnownTopologies.all)
      return try output.write(contentsOf: encoder.encode(answer))
    }
    let specification = try Self.specification(from: input)
    let document =
      specification.isPlanned
      ? try await supervised(specification)
      : await CellRunner(topologies: KnownTopologies.all).run(specification)
    try output.write(contentsOf: encoder.encode(document) + Data("\n".utf8))
  }

  private static func specification(from input: Data) throws -> CellSpecification {
    do {
      return try JSONDecoder().decode(CellSpecification.self, from: input)
    } catch {
      throw UsageError(
        "standard input is not the specification of a cell: \(error.inJSON)."
          + " `topobench plan` prints specifications")
    }
  }

  /// Runs a line of a plan in its own process.
  private func supervised(_ line: CellSpecification) async throws -> CellDocument {
    let file = try scenarioFile(of: line)
    let folder = try DiskOption.makeFolder(in: FileManager.default.temporaryDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let interrupts = Interrupts()
    interrupts.listen()
    let document = try await SpreadCell(line, scenario: file, folder: folder).run(
      executable: Executable.path, version: Executable.version, gitSHA: Executable.revision,
      interrupts: interrupts)
    guard let document else { throw ExitCode(ExitStatus.interrupted.rawValue) }
    return document
  }

  /// The file that the plan names, or this machine's scenario of the same name. The cell checks its
  /// digest against the plan's.
  private func scenarioFile(of line: CellSpecification) throws -> String {
    guard !FileManager.default.fileExists(atPath: line.scenarioFile) else {
      return line.scenarioFile
    }
    return try ScenarioLibrary.find(folder: nil).file(of: line.scenario)
  }
}

/// Standard output, reserved for the document.
enum StandardOutput {
  /// Redirects this process's standard output to standard error.
  ///
  /// - Returns: a handle to the original standard output.
  static func takeOver() throws -> FileHandle {
    let descriptor = dup(STDOUT_FILENO)
    guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
