import Harness

/// `--output -`: standard output holds the rows, and nothing else.
enum RowsOutput {
  /// - Parameter format: the answer's format. A table goes to standard error; `csv` is the rows.
  /// - Throws: `UsageError` if the answer or a recording needs a file.
  static func requireRoom(
    on output: String?, format: some RawRepresentable<String>, isRecorded: Bool = false
  ) throws {
    guard output == "-" else { return }
    if isRecorded {
      throw UsageError("--record needs a file; name a CSV file with --output")
    }
    guard ["table", "csv"].contains(format.rawValue) else {
      throw UsageError(
        "--format \(format.rawValue): with --output - the rows fill standard output;"
          + " name a file with --output")
    }
  }
}
