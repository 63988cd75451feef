import ArgumentParser
import Foundation
import Harness
import Measurement
import Reports

struct FindingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "findings",
    abstract: "Say, as a page of Markdown, what came out of a full run.",
    discussion: """
      Per scenario: the question, the figures, what to conclude and where topologies change places; \
      and which common advice is borne out or contradicted. Machine and question come from the \
      environment file beside each report.
      """)

  @Argument(help: ArgumentHelp("Reports of this command, scenario by scenario.", valueName: "csv"))
  var files: [String]

  func run() throws {
    print(try Self.page(of: files), terminator: "")
  }

  /// The page, from reports and the environment files beside them.
  static func page(of files: [String]) throws -> String {
    FindingsPage(try files.map(FindingsReport.init(reading:))).markdown
  }
}

extension FindingsReport {
  init(reading path: String) throws {
    let csv = URL(fileURLWithPath: path)
    var cells: [CellResult] = []
    try ReportReader.read(path) { cells.append($0) }
    let file = ResultsFile.environment(of: csv)
    guard let data = try? Data(contentsOf: file),
      let environment = try? JSONDecoder().decode(MachineEnvironment.self, from: data)
    else {
      throw UsageError(
        "'\(file.path)' is missing or no environment file; it lies beside a report that topobench wrote"
      )
    }
    self.init(
      file: csv.lastPathComponent, cells: cells.sorted { $0.order < $1.order },
      questions: environment.questions, machine: environment.inALine)
  }
}

extension MachineEnvironment {
  /// The question that each scenario puts.
  var questions: [String: String] {
    var questions: [String: String] = [:]
    for scenario in scenarios {
      guard let name = Self.plain(scenario["name"]) else { continue }
      questions[name] = Self.plain(scenario["asks"])
    }
    return questions
  }

  /// Of a field's JSON, the text.
  private static func plain(_ json: String?) -> String? {
    json.flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) }
  }

  fileprivate var inALine: String {
    "\(cpu), \(cores) cores, \(os), Linux \(kernel), SQLite \(sqlite), \(build) build of \(gitSHA)"
  }
}
