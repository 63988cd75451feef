import ArgumentParser
import Harness

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the instruments.",
    discussion: """
      --ruler puts blocks of known length on the main queue and compares what the instruments say of \
      them with what they were. Exit status 1 if a figure is off.
      """)

  @Flag(help: "Hold the main queue's instruments against blocks of known length.")
  var ruler = false

  func run() async throws {
    guard ruler else {
      throw UsageError("doctor: name what to check; there is --ruler")
    }
    let report = try await Ruler.measure()
    print(report.text, terminator: "")
    if !report.isRight { throw ExitCode(ExitStatus.failed.rawValue) }
  }
}
