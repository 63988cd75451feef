import ArgumentParser
import Foundation
import Harness
import Workload

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

      Examples:
        topobench plan --scenario 5000-cities | head -n 1 | topobench cell
      """)

  @Flag(help: "Check the specification without measuring.")
  var check = false

  func run() async throws {
    let output = try StandardOutput.reserve()
    let input = try StandardStreams.read()
    if check {
      let answer = CellCheck(
        of: input, topobench: Executable.version, gitSHA: Executable.notedRevision,
        topologies: KnownTopologies.all)
      return try output.write(Self.json(answer), "the check")
    }
    let specification = try Self.specification(from: input)
    let document =
      specification.isPlanned
      ? try await supervised(specification)
      : await CellRunner(topologies: KnownTopologies.all).run(specification)
    try output.write(Self.json(document) + "\n", "the document")
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func specification(from input: Data) throws -> CellSpecification {
    do {
      let specification = try JSONDecoder().decode(CellSpecification.self, from: input)
      if let limit = specification.timeLimit, !CellSpecification.isTimeLimit(limit) {
        throw UsageError(
          "standard input: 'timeLimit' is \(limit), not a number of seconds above 0, up to 86400")
      }
      return specification
    } catch let error as UsageError {
      throw error
    } catch {
      throw UsageError(
        "standard input is not the specification of a cell: \(error.inJSON)."
          + " `topobench plan` prints specifications")
    }
  }

  private func supervised(_ line: CellSpecification) async throws -> CellDocument {
    let interrupts = Interrupts()
    interrupts.listen()
    let file = try scenarioFile(of: line)
    let folder = try DiskOption.makeTemporaryFolder()
    defer { RunFolder.remove(folder) }
    let document = try await SpreadCell(line, scenario: file, folder: folder).run(
      executable: Executable.path, version: Executable.version, gitSHA: Executable.revision,
      interrupts: interrupts)
    guard let document else { throw ExitCode(ExitStatus.interrupted.rawValue) }
    return document
  }

  /// The plan's file, or this machine's scenario of that name. The cell checks its digest.
  private func scenarioFile(of line: CellSpecification) throws -> String {
    guard !FileManager.default.fileExists(atPath: line.scenarioFile) else {
      return line.scenarioFile
    }
    return try ScenarioLibrary.find(folder: nil).file(of: line.scenario)
  }
}
