import Foundation
package import Support

// The places where a scenario is searched, in this order:
//
//   a path (has a slash, or ends in .yaml)       only there
//   the folder of a command-line flag            must exist
//   $TOPOBENCH_SCENARIOS                         must exist
//   <folder of the executable>/Scenarios, ../share/topobench/Scenarios    symbolic links followed
//   the source tree of this build
//
// Bundle.module would stop the program if its build folder is missing.

package struct ScenarioLibrary: Sendable {
  package struct Entry: Sendable {
    package let name: String
    package let file: String
    /// Empty if the file is not valid.
    package let asks: String
    package let problem: InputError?
  }

  /// In search order. A name found earlier hides a later one.
  package let folders: [String]

  /// - Parameters:
  ///   - folder: of a command-line flag.
  ///   - executable: the path of the running program; may be a symbolic link.
  ///   - environment: `TOPOBENCH_SCENARIOS` names a folder; an empty value counts as absent.
  ///   - sourceTree: the checkout of this build.
  package init(
    folder: String?, executable: String, environment: [String: String],
    sourceTree: String? = ScenarioLibrary.sourceTree
  ) throws(InputError) {
    let named = [
      (folder, "the scenario folder"),
      (environment["TOPOBENCH_SCENARIOS"], "TOPOBENCH_SCENARIOS"),
    ]
    var folders: [String] = []
    for case (let path?, let source) in named where !path.isEmpty {
      guard FileContent.isFolder(path) else {
        throw InputError(.none, "\(source) is \(path.quoted), which is not a folder")
      }
      folders.append(path)
    }
    let beside = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    folders.append(beside.appending(path: "Scenarios").path)
    folders.append(beside.appending(path: "../share/topobench/Scenarios").standardizedFileURL.path)
    if let sourceTree { folders.append("\(sourceTree)/Scenarios") }
    self.folders = folders.filter(FileContent.isFolder)
  }

  /// The checkout in which this file was compiled. It may have been moved or removed since.
  package static let sourceTree: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The folders with the scenarios of this program.
  static let shippedFolders: [String] = {
    let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
    let library = try? ScenarioLibrary(
      folder: nil, executable: executable, environment: ProcessInfo.processInfo.environment)
    return library?.folders ?? []
  }()

  /// - Parameter scenario: a path, or a name without `.yaml`.
  package func file(of scenario: String) throws(InputError) -> String {
    if Self.isPath(scenario) {
      if let problem = FileContent.problemReading(scenario) {
        throw InputError(.file(scenario, line: nil), problem)
      }
      return scenario
    }
    let files = files()
    guard let file = files[scenario] else { throw unknown(scenario, files.keys.sorted()) }
    return file
  }

  /// By name. Invalid files have an error.
  package func entries() -> [Entry] {
    files().sorted { $0.key < $1.key }.map { name, file in
      do throws(InputError) {
        let asks = try Scenario.load(file: file).first?.asks
        return Entry(name: name, file: file, asks: asks ?? "", problem: nil)
      } catch {
        return Entry(name: name, file: file, asks: "", problem: error)
      }
    }
  }

  private static func isPath(_ text: String) -> Bool {
    text.contains("/") || FileContent.scenarioSuffixes.contains { text.hasSuffix($0) }
  }

  private func files() -> [String: String] {
    var files: [String: String] = [:]
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted()
      where FileContent.scenarioSuffixes.contains(where: { name.hasSuffix($0) }) {
        let file = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        files[FileContent.scenarioName(name)] = files[FileContent.scenarioName(name)] ?? file
      }
    }
    return files
  }

  private func unknown(_ name: String, _ known: [String]) -> InputError {
    if FileManager.default.fileExists(atPath: name), !FileContent.isFolder(name) {
      let path = ["./\(name)"].shellCommand
      let command = ["topobench", "scenario", "new", name].shellCommand
      return InputError(
        .none,
        "unknown scenario \(name.quoted), but a file has this name."
          + " If it is a scenario, type \(path). If it has rows, type: \(command)")
    }
    guard !known.isEmpty else {
      return InputError(
        .none,
        "unknown scenario \(name.quoted): no scenario was found at all; name a file, "
          + "or set TOPOBENCH_SCENARIOS to the folder that holds them")
    }
    let hint = NearestName.hint(for: name, in: known)
    return InputError(
      .none, "unknown scenario \(name.quoted).\(hint) Known: \(known.joined(separator: ", "))")
  }
}
