import Harness

/// `--output -`: standard output holds the rows, and nothing else.
enum RowsOutput {
  /// - Parameter format: how the answer would be written. What a terminal shows is left out, or told on
  ///   standard error; of `csv` it is the rows themselves.
  /// - Throws: `UsageError` for what has no room there.
  static func requireRoom(
    on output: String?, format: some RawRepresentable<String>, isRecorded: Bool = false
  ) throws {
    guard output == "-" else { return }
    if isRecorded {
      throw UsageError("--record needs a file to record beside; name one by --output")
    }
    guard ["table", "csv"].contains(format.rawValue) else {
      throw UsageError(
        "--format \(format.rawValue): with --output - the rows go to standard output, which has no"
          + " room for an answer; name a file by --output")
    }
  }
}
