import ArgumentParser
import Foundation
package import Harness
import Judging
import Measurement
import Reports
import Support

struct SideOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: .init("CSV files of the baseline.", valueName: "file"))
  var baseline: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: .init("CSV files of the candidate.", valueName: "file"))
  var candidate: [String] = []

  var all: [String] { baseline + candidate }
  var areWhole: Bool { !baseline.isEmpty && !candidate.isEmpty }

  /// - Throws: `UsageError` if standard input is named twice: it is empty the second time.
  func requireOneStandardInput(for command: String, besides files: [String] = []) throws {
    guard (files + all).count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("\(command): standard input can be read only once; name files")
    }
  }
}

struct ReportOutput {
  /// `-` for standard output.
  let path: String
  let force: Bool

  /// - Throws: `UsageError` if the file is one of the reports, or exists and may not be replaced.
  ///   A device or a pipe can be written without `force`.
  func check(against reports: [String]) throws {
    guard path != "-" else { return }
    let file = Self.resolved(path)
    if reports.map(Self.resolved).contains(file) {
      throw UsageError("--output: '\(path)' is one of the files to read; name another file")
    }
    if !force, FileManager.default.fileExists(atPath: path), !FileSystem.isStream(path) {
      throw UsageError("--output: '\(path)' exists; name another file, or --force to write over it")
    }
  }

  private static func resolved(_ path: String) -> URL {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
  }

  func write(_ text: String, _ what: String) throws {
    guard path != "-" else { return try StandardOutput().write(text, what) }
    // What replaces a file must not replace a link to it, such as `/dev/stdout`.
    let file =
      force && !FileSystem.isStream(path) ? Self.resolved(path) : URL(fileURLWithPath: path)
    do {
      try FileSystem.write(Data(text.utf8), to: file, force: force)
    } catch {
      throw UsageError("--output: \(error)")
    }
  }
}

extension Metrics {
  /// Each once. `known` are the metrics that the command accepts.
  static func named(_ names: [String], among known: [Metric]) throws(UsageError) -> [Metric] {
    var found: [Metric] = []
    for name in names {
      guard let metric = known.first(where: { $0.name == name }) else {
        let problem = named(name) == nil ? "unknown metric" : "the command cannot judge"
        let hint = NearestName.hint(for: name, in: known.map(\.name))
        throw UsageError(
          "--metric: \(problem) '\(name)'.\(hint) `topobench list metrics` shows all")
      }
      if !found.contains(metric) { found.append(metric) }
    }
    return found
  }
}

extension OutputFormat: ExpressibleByArgument {}

extension Side: ExpressibleByArgument {}

extension MachineEnvironment {
  /// What each scenario asks.
  package var questions: [String: String] {
    var questions: [String: String] = [:]
    for scenario in run.scenarios {
      guard let name = Self.plain(scenario["name"]) else { continue }
      questions[name] = Self.plain(scenario["asks"])
    }
    return questions
  }

  private static func plain(_ json: String?) -> String? {
    json.flatMap { try? JSONDecoder().decode(String.self, from: Data($0.utf8)) }
  }
}
