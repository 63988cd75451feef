import ArgumentParser
import Foundation
import Harness

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
      What `run` starts for each cell; anything that can start a process can start one. Both are \
      JSON of the protocol '\(CellSpecification.protocolVersion)'. What the cell prints goes to \
      standard error.
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
    let document = await CellRunner(topologies: Topobench.topologies)
      .run(try specification(from: input))
    try output.write(contentsOf: encoder.encode(document))
  }

  private func specification(from input: Data) throws -> CellSpecification {
    do {
      return try JSONDecoder().decode(CellSpecification.self, from: input)
    } catch {
      throw UsageError(
        "standard input is no specification of a cell: \(Self.describe(error))".oneLine)
    }
  }
}

extension CellCommand {
  /// Where in the JSON, and what.
  private static func describe(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "'\((context.codingPath + [key]).map(\.stringValue).joined(separator: "."))' is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "'\(context.codingPath.map(\.stringValue).joined(separator: "."))':"
        + " \(context.debugDescription)"
    case DecodingError.dataCorrupted(let context): context.debugDescription
    default: "\(error)"
    }
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
