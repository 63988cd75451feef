import Foundation
import Harness
import Queues
import Topologies

package enum Executable {
  static let version = "0.2.0"

  package static var path: String {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    #else
      CommandLine.arguments[0]
    #endif
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
}

enum KnownTopologies {
  static var all: [TopologyDescriptor] { list.withLock { $0 } }

  static func add(_ topologies: [TopologyDescriptor]) { list.withLock { $0 += topologies } }

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
