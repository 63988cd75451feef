import Foundation

extension JSONSchema {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The schema of `topobench-gate/1` is in `gate-1.schema.json`.
  package static func documented(_ name: String) throws -> JSONSchema {
    let file = name.replacing("topobench-", with: "").replacing("/", with: "-")
    return try JSONSchema(
      String(
        contentsOf: root.appending(path: "Documentation/Schemas/\(file).schema.json"),
        encoding: .utf8))
  }

  /// For an identifier such as `urn:topobench:schema:answer:3`.
  static func documented(id: String) throws -> JSONSchema {
    let prefix = "urn:topobench:schema:"
    guard id.hasPrefix(prefix) else { throw Failure(description: "\(id) is not documented") }
    return try documented(String(id.dropFirst(prefix.count)).replacing(":", with: "/"))
  }

  package static func all() throws -> [JSONSchema] {
    let folder = root.appending(path: "Documentation/Schemas")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".schema.json") }.sorted()
      .map { try JSONSchema(String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
  }
}
