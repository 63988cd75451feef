import ArgumentParser
import Foundation
import Harness

struct CellCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cell",
    abstract: "Run one cell: its specification on standard input, its document on standard output.",
    discussion: """
      What `run` starts for each cell. `topobench plan` prints specifications, so that anything that
      can start a process can run one. Both are JSON of the protocol \
      '\(CellSpecification.protocolVersion)'.
      """)

  func run() async throws {
    let input = FileHandle.standardInput.readDataToEndOfFile()
    let specification: CellSpecification
    do {
      specification = try JSONDecoder().decode(CellSpecification.self, from: input)
    } catch {
      throw UsageError("standard input is no specification of a cell: \(error)".oneLine)
    }
    let document = await CellRunner(topologies: Topobench.topologies).run(specification)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    FileHandle.standardOutput.write(try encoder.encode(document))
  }
}
