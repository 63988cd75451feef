import ArgumentParser
import Harness

/// The option of every command that measures cells one after the other here.
struct AwakeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep the processors from sleeping while cells run, by threads that run only where nothing else"
        + " would: less noise on virtual machines. Linux."))
  var keepAwake = false
}

extension AwakeOptions {
  /// Finds what makes it impossible here, or harmful, before anything is written.
  func requireSense() throws {
    if keepAwake { try AwakeProcessors.requireSense() }
  }

  /// What decides the answer beside a scenario's own choices.
  var choices: [String] { keepAwake ? ["processors were kept awake"] : [] }

  /// Runs `body` with the processors kept awake, if that was asked for.
  func whileAwake<Result>(_ body: () async throws -> Result) async throws -> Result {
    let awake = keepAwake ? try AwakeProcessors() : nil
    defer { awake?.stop() }
    return try await body()
  }
}
