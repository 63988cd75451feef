import ArgumentParser
import Harness

/// The option of every command that measures cells on this machine.
struct AwakeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the processors awake with threads of idle priority. Less noise on virtual machines."
        + " Linux only."))
  var keepAwake = false
}

extension AwakeOptions {
  /// - Throws: `UsageError` if this machine cannot keep its processors awake.
  func checkMachine() throws {
    if keepAwake { try AwakeProcessors.checkMachine() }
  }

  /// The choices that decide the answer, in addition to a scenario's own.
  var choices: [String] { keepAwake ? ["processors were kept awake"] : [] }

  /// Runs `body` with the processors kept awake, if the option asks for it.
  func whileAwake<Result>(_ body: () async throws -> Result) async throws -> Result {
    let awake = keepAwake ? try AwakeProcessors() : nil
    defer { awake?.stop() }
    return try await body()
  }
}
