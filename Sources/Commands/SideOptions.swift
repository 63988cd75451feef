import ArgumentParser
import Harness

/// The reports on the two sides of a comparison.
struct SideOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The CSV files of the baseline.", valueName: "file"))
  var baseline: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The CSV files of the candidate.", valueName: "file"))
  var candidate: [String] = []
}

extension SideOptions {
  var all: [String] { baseline + candidate }
  var areWhole: Bool { !baseline.isEmpty && !candidate.isEmpty }

  /// - Parameter files: those that a command takes without saying which side they are on.
  /// - Throws: `UsageError` where standard input is named twice: it is empty the second time.
  func requireOneStandardInput(for command: String, besides files: [String] = []) throws {
    guard (files + all).count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("\(command): standard input can be read once; name files")
    }
  }
}
