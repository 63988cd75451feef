import ArgumentParser
import Foundation
import Judging
import Measurement

struct TallyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tally",
    abstract: "Print how often real duets failed, passed or could not say.",
    discussion: """
      Each file holds the exit status of one duet: 0, 2 or 4. Files are told apart by the folder that \
      they lie in.
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
    default: throw Pool.Failure(description: "'\(file)' holds no status of a duet: \(text)")
    }
  }
}
