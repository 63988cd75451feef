import Foundation

/// This program's own file.
enum Executable {
  static let version = "0.1.0"

  static var path: String {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// The commit that this program was built from; empty if nobody noted it.
  static var revision: String {
    revision(of: path, environment: ProcessInfo.processInfo.environment)
  }

  /// The same, but of this program alone: what the environment says may be said of another.
  static var notedRevision: String { revision(of: path, environment: [:]) }

  /// What `scripts/topobench` says in the environment; else what `scripts/install` left in
  /// `share/topobench` beside the folder of an installed program.
  static func revision(of executable: String, environment: [String: String]) -> String {
    if let said = environment["TOPOBENCH_GIT_SHA"], !said.isEmpty { return said }
    let file = URL(fileURLWithPath: executable).deletingLastPathComponent()
      .appendingPathComponent("../share/topobench/revision").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
