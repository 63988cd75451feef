import Support
import Foundation

// Where a scenario is looked for, first place first:
//
//   a path (has a slash, or ends in .yaml)       only there
//   the folder a flag names                      must exist
//   $TOPOBENCH_SCENARIOS                         must exist
//   <folder of the executable>/Scenarios, ../share/topobench/Scenarios    symbolic links followed
//   the source tree this was built from
//
// Never through Bundle.module, which stops the program when its build folder is gone.

/// Finds scenarios by path or by name.
package struct ScenarioLibrary: Sendable {
  /// One scenario file that was found.
  package struct Entry: Sendable {
    package let name: String
    package let file: String
    /// The question it puts; empty where the file is not valid.
    package let asks: String
    /// Why the file cannot be used.
    package let problem: ScenarioError?
  }

  /// Folders that exist, in the order they are searched; a name found earlier hides a later one.
  package let folders: [String]

  /// - Parameters:
  ///   - folder: what a flag names; nil without the flag.
  ///   - executable: the path of the running program; may be a symbolic link.
  ///   - environment: `TOPOBENCH_SCENARIOS` names a folder; empty counts as absent.
  ///   - sourceTree: the checkout this was built from.
  package init(
    folder: String?, executable: String, environment: [String: String],
    sourceTree: String? = ScenarioLibrary.sourceTree
  ) throws(ScenarioError) {
    let named = [
      (folder, "the scenario folder"),
      (environment["TOPOBENCH_SCENARIOS"], "TOPOBENCH_SCENARIOS"),
    ]
    var folders: [String] = []
    for case (let path?, let source) in named where !path.isEmpty {
      guard Self.isFolder(path) else {
        throw ScenarioError(.none, "\(source) is '\(path)', which is no folder")
      }
      folders.append(path)
    }
    let beside = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    folders.append(beside.appending(path: "Scenarios").path)
    folders.append(beside.appending(path: "../share/topobench/Scenarios").standardizedFileURL.path)
    if let sourceTree { folders.append("\(sourceTree)/Scenarios") }
    self.folders = folders.filter(Self.isFolder)
  }

  /// The checkout this file was compiled in; gone if the program was installed from there and moved.
  package static let sourceTree: String = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The file of a scenario.
  ///
  /// - Parameter scenario: a path, or a name without `.yaml`.
  package func file(of scenario: String) throws(ScenarioError) -> String {
    if Self.isPath(scenario) {
      if let problem = FileContent.problemReading(scenario) {
        throw ScenarioError(.file(scenario, line: nil), problem)
      }
      return scenario
    }
    let files = files()
    guard let file = files[scenario] else { throw unknown(scenario, files.keys.sorted()) }
    return file
  }

  /// Every scenario in ``folders``, by name; files that are not valid among them, with the reason.
  package func entries() -> [Entry] {
    files().sorted { $0.key < $1.key }.map { name, file in
      do throws(ScenarioError) {
        let scenario = try Scenario.load(file: file).first
        return Entry(name: name, file: file, asks: scenario?.asks ?? "", problem: nil)
      } catch {
        return Entry(name: name, file: file, asks: "", problem: error)
      }
    }
  }

  /// `5000-cities` of `Scenarios/5000-cities.yaml`.
  static func name(ofFile file: String) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return suffixes.first { last.hasSuffix($0) }.map { String(last.dropLast($0.count)) } ?? last
  }

  private static let suffixes = [".yaml", ".yml"]

  private static func isPath(_ text: String) -> Bool {
    text.contains("/") || suffixes.contains { text.hasSuffix($0) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private func files() -> [String: String] {
    var files: [String: String] = [:]
    for folder in folders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for name in names.sorted() where Self.suffixes.contains(where: { name.hasSuffix($0) }) {
        let file = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        files[Self.name(ofFile: name)] = files[Self.name(ofFile: name)] ?? file
      }
    }
    return files
  }

  private func unknown(_ name: String, _ known: [String]) -> ScenarioError {
    guard !known.isEmpty else {
      return ScenarioError(
        .none,
        "unknown scenario '\(name)': no scenario was found at all; name a file, "
          + "or set TOPOBENCH_SCENARIOS to the folder that holds them")
    }
    let hint = NearestName.hint(for: name, in: known)
    return ScenarioError(
      .none, "unknown scenario '\(name)'.\(hint) Known: \(known.joined(separator: ", "))")
  }
}
