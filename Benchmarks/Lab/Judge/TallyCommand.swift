import ArgumentParser
import Foundation
import Judging
import Measurement

struct TallyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Print how often real duets failed, passed or were inconclusive.",
    discussion: """
      Each file holds the exit status of one duet: 0, 2 or 4. Files are grouped by \
      their folder.
      """)

  @Argument(help: "Files of exit statuses.") var files: [String]

  func run() async throws {
    print(Rates.header)
    for (name, files) in files.byFolder {
      var rates = Rates()
      for file in files { rates.add(try verdict(in: file)) }
      print(rates.row("real duet: \(name)"))
    }
  }

  private func verdict(in file: String) throws -> Verdict {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    switch text.trimmingCharacters(in: .whitespacesAndNewlines) {
    case "0": return .pass
    case "2": return .fail
    case "4": return .inconclusive
    default:
      throw Pool.Failure(description: "'\(file)' has no exit status of a duet (0, 2 or 4): \(text)")
    }
  }
}
