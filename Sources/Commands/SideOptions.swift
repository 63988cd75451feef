import ArgumentParser
import Harness

/// The reports of both sides of a comparison.
struct SideOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("CSV files of the baseline.", valueName: "file"))
  var baseline: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("CSV files of the candidate.", valueName: "file"))
  var candidate: [String] = []
}

extension SideOptions {
  var all: [String] { baseline + candidate }
  var areWhole: Bool { !baseline.isEmpty && !candidate.isEmpty }

  /// - Parameter files: the command's other files.
  /// - Throws: `UsageError` if standard input is named twice, because it is empty the second time.
  func requireOneStandardInput(for command: String, besides files: [String] = []) throws {
    guard (files + all).count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("\(command): standard input can be read only once; name files")
    }
  }
}
