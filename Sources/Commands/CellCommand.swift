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
    abstract: "Run one cell: its specification on standard input, its document on standard output.",
    discussion: """
      Both are JSON of the protocol '\(CellSpecification.protocolVersion)', and the document is one \
      line. What the cell prints goes to standard error.

      A line of `topobench plan` is a specification for whatever machine reads it: the cell gets a \
      folder (where TMPDIR says), a process of its own and a time limit, is run again if it is \
      suspect, and has a document even if it crashes. The exit status is 0 if there is a document; \
      `topobench collect` tells of bad cells.
      """)

  @Flag(help: "Measure nothing: say what this build makes of the specification.")
  var check = false

  func run() async throws {
    let output = try StandardOutput.takeOver()
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if check {
      let answer = CellCheck(
        of: input, topobench: RootCommand.version, gitSHA: Executable.notedRevision,
        topologies: Topobench.topologies)
      return try output.write(contentsOf: encoder.encode(answer))
    }
    let specification = try Self.specification(from: input)
    let document =
      specification.isPlanned
      ? try await supervised(specification)
      : await CellRunner(topologies: Topobench.topologies).run(specification)
    try output.write(contentsOf: encoder.encode(document) + Data("\n".utf8))
  }

  private static func specification(from input: Data) throws -> CellSpecification {
    do {
      return try JSONDecoder().decode(CellSpecification.self, from: input)
    } catch {
      throw UsageError(
        "standard input is no specification of one cell: \(error.inJSON)")
    }
  }

  /// Runs a line of a plan in a process of its own.
  private func supervised(_ line: CellSpecification) async throws -> CellDocument {
    let file = try scenarioFile(of: line)
    let folder = try FileOptions.makeFolder(in: FileManager.default.temporaryDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let interrupts = Interrupts()
    interrupts.listen()
    let document = try await SpreadCell(line, scenario: file, folder: folder).run(
      executable: Executable.path, version: RootCommand.version, gitSHA: Executable.revision,
      interrupts: interrupts)
    guard let document else { throw ExitCode(ExitStatus.interrupted.rawValue) }
    return document
  }

  /// The file that the plan names, or on a machine that has it elsewhere the scenario of that name:
  /// its digest must be the plan's in any case.
  private func scenarioFile(of line: CellSpecification) throws -> String {
    guard !FileManager.default.fileExists(atPath: line.scenarioFile) else {
      return line.scenarioFile
    }
    return try ScenarioLibrary(
      folder: nil, executable: Executable.path,
      environment: ProcessInfo.processInfo.environment
    ).file(of: line.scenario)
  }
}

/// Standard output, kept for one who must find nothing else there.
enum StandardOutput {
  /// From now on, what this process or its libraries print goes to standard error; what is written
  /// to the handle goes where standard output went.
  static func takeOver() throws -> FileHandle {
    let descriptor = dup(STDOUT_FILENO)
    guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
