import Testing

extension CommandRun {
  /// Expects an error with these words, and no other output.
  func expectRefusal(
    of arguments: [String], with status: Int32 = 64, saying words: [String],
    command: String = "topobench", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(
      arguments, command: command, expecting: status, sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
    for word in words {
      #expect(outcome.errors.contains(word), "\(outcome.errors)", sourceLocation: sourceLocation)
    }
  }
}
