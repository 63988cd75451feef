import DataModel
import Foundation
import Harness
import Queues
import Support
import Topologies
import Workload

package enum Executable {
  /// Until its release, with `-dev`.
  static let version = "0.3.0-dev"

  package static var path: String {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// Such as `0.3.0 (3f2a9c1)`.
  static var versionWithRevision: String {
    revision.isEmpty ? version : "\(version) (\(revision))"
  }

  /// Empty if unknown.
  static var revision: String {
    revision(of: path, environment: ProcessInfo.processInfo.environment)
  }

  /// The revision without the environment, which may name another program's.
  static var notedRevision: String { revision(of: path, environment: [:]) }

  /// From the environment, where `scripts/topobench` puts it. Otherwise from `share/topobench`
  /// beside the program's folder, where `scripts/install` writes it.
  static func revision(of executable: String, environment: [String: String]) -> String {
    if let revision = environment["TOPOBENCH_GIT_SHA"], !revision.isEmpty { return revision }
    let file = URL(fileURLWithPath: executable).deletingLastPathComponent()
      .appendingPathComponent("../share/topobench/revision").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The first line of a new scenario: it tells editors where the schema of scenarios is.
  static var schemaLine: String { schemaLine(of: path, sourceTree: ScenarioLibrary.sourceTree) }

  /// Of the schema that `scripts/install` puts beside the program, or else of the source tree's.
  /// Empty if there is neither.
  static func schemaLine(of executable: String, sourceTree: String) -> String {
    let installed = URL(fileURLWithPath: executable).deletingLastPathComponent()
      .appendingPathComponent("../share/topobench/Schemas").standardizedFileURL
    let source = URL(fileURLWithPath: sourceTree).appendingPathComponent("Documentation/Schemas")
    let schema = [installed, source].map { $0.appendingPathComponent("scenario-1.schema.json") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
    // An address, because editors end a path at a space.
    return schema.map { "# yaml-language-server: $schema=\($0.absoluteString)\n" } ?? ""
  }
}

enum KnownTopologies {
  static var all: [TopologyDescriptor] { list.withLock { $0 } }

  /// Stops the program if a name cannot be told from another, or cannot be part of a file's name.
  static func add(_ topologies: [TopologyDescriptor]) {
    list.withLock { list in
      for name in topologies.map(\.name) {
        require(
          name != "all" && name.wholeMatch(of: /(?:[a-z0-9]+-)*[a-z0-9]+/) != nil,
          "an added topology is called \(name.quoted); a name has lower-case words of letters and"
            + " digits, joined by hyphens, and is not 'all'")
      }
      list += topologies
      let names = list.map(\.name)
      let twice = names.first { name in names.count { $0 == name } > 1 }
      require(twice == nil, "two topologies are called '\(twice ?? "")'; rename the added one")
    }
  }

  private static let list = Lock<[TopologyDescriptor]>(Topologies.builtIn)
}

extension MachineEnvironment {
  static func capture(
    storesIn folder: URL, scenarios: [RunScenario], keepsAwake: Bool = false
  ) -> MachineEnvironment {
    capture(
      version: Executable.version, gitSHA: Executable.revision, storesIn: folder,
      scenarios: scenarios.map(\.scenario), keepsAwake: keepsAwake)
  }
}
