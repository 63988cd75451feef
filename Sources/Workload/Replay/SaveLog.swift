import DataModel
import Foundation
package import Support

// An app's own log of its saves, one JSON object a line (`save-log-1.schema.json`):
//
//   {"time": 12.5, "context": "sync", "thread": "background", "inserted": {"Message": 40},
//    "updated": {}, "deleted": {}, "registered_on_main": 310}
//                    │ ordered by time, from 0 on; saves without a change left out
//                    ▼
//   RecordedSave, RecordedSave, …

package struct SaveLog: Sendable {
  package let file: String
  /// Ordered by time; the first is at 0.
  package let saves: [RecordedSave]
  /// The most objects registered on main that the log reports.
  let registeredOnMain: Int
  /// How many saves the main thread made.
  let onMain: Int
  let contexts: Int
  /// The last line, if it is cut off and left out: the app was killed while it wrote.
  package let tornLine: Int?

  private static let longest = 1e6

  private struct Line: Decodable {
    enum Thread: String, Decodable { case main, background }

    let time: Double
    let context: String
    let thread: Thread
    // Doubles, so that the error for a number that is not whole names its path.
    let inserted: [String: Double]
    let updated: [String: Double]
    let deleted: [String: Double]
    let registered: Double

    enum CodingKeys: String, CodingKey {
      case time, context, thread, inserted, updated, deleted
      case registered = "registered_on_main"
    }

    var counts: [(path: String, entity: String?, count: Double)] {
      var counts: [(path: String, entity: String?, count: Double)] = []
      for (name, all) in [("inserted", inserted), ("updated", updated), ("deleted", deleted)] {
        for (entity, count) in all.sorted(by: { $0.key < $1.key }) {
          counts.append(("\(name).\(entity)", entity, count))
        }
      }
      return counts + [("registered_on_main", nil, registered)]
    }

    /// Without entities that the save did not change.
    var changes: [String: ChangeCounts] {
      let entities = Set(inserted.keys).union(updated.keys).union(deleted.keys)
      return entities.reduce(into: [:]) { changes, entity in
        let counts = ChangeCounts(
          inserts: Int(inserted[entity] ?? 0), updates: Int(updated[entity] ?? 0),
          deletes: Int(deleted[entity] ?? 0))
        if counts.total > 0 { changes[entity] = counts }
      }
    }
  }

  package init(reading file: String) throws(InputError) {
    let bytes = try FileContent.bytes(of: file)
    // A torn last line may end inside a character.
    let lastLine = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    try self.init(
      text: String(utf8: Array(bytes[..<lastLine]), file: file)
        + String(decoding: bytes[lastLine...], as: UTF8.self), file: file)
  }

  /// - Parameter file: its name in messages.
  package init(text: String, file: String) throws(InputError) {
    var lines: [(line: Line, save: RecordedSave)] = []
    var objects = 0
    var names: [String: String] = [:]
    var texts = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    tornLine = texts.last.map(Self.isTorn) ?? false ? texts.count : nil
    if tornLine != nil { texts.removeLast() }
    for (index, text) in texts.enumerated() where !text.allSatisfy(\.isWhitespace) {
      let origin = InputError.Origin.file(file, line: index + 1)
      let line = try Self.line(text, origin)
      try Self.check(line, origin)
      try Self.checkNames(line, &names, origin)
      let save = RecordedSave(at: .seconds(line.time), counts: line.changes, line: index + 1)
      objects += save.counts.values.reduce(0) { $0 + $1.total }
      guard objects <= [RecordedSave].mostObjects else {
        throw InputError(
          origin, "more than \([RecordedSave].mostObjects) objects changed so far; keep fewer lines"
        )
      }
      lines.append((line, save))
    }
    lines = lines.filter { !$0.save.counts.isEmpty }.sorted { $0.save.at < $1.save.at }
    guard let first = lines.first, let last = lines.last else {
      throw InputError(.file(file, line: nil), "logs no save that changes an object")
    }
    guard last.line.time - first.line.time <= Self.longest else {
      throw InputError(
        .file(file, line: last.save.line), field: "time",
        "is more than \(Int(Self.longest)) s after the first save; keep the saves of one launch."
          + Self.milliseconds)
    }
    self.file = file
    saves = lines.map { line in
      RecordedSave(at: line.save.at - first.save.at, counts: line.save.counts, line: line.save.line)
    }
    registeredOnMain = Int(lines.map(\.line.registered).max() ?? 0)
    onMain = lines.count { $0.line.thread == .main }
    contexts = Set(lines.map(\.line.context)).count
  }

  static let milliseconds = " If these are milliseconds, divide them by 1000"

  /// Whether an object begins and does not end. Braces may also be in its texts.
  private static func isTorn(_ text: Substring) -> Bool {
    func count(_ brace: Unicode.Scalar) -> Int { text.unicodeScalars.count { $0 == brace } }
    guard text.utf8.first == UInt8(ascii: "{"),
      text.utf8.last != UInt8(ascii: "}") || count("{") > count("}")
    else { return false }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) == nil
  }

  private static func line(
    _ text: Substring, _ origin: InputError.Origin
  ) throws(InputError) -> Line {
    do {
      return try JSONDecoder().decode(Line.self, from: Data(text.utf8))
    } catch {
      throw InputError(
        origin, "\(problem(error, String(text))); save-log-1.schema.json describes a line")
    }
  }

  private static func problem(_ error: any Error, _ text: String) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".").quoted
    }
    switch error {
    case DecodingError.keyNotFound(let key, _): return "field '\(key.stringValue)' is missing"
    case DecodingError.typeMismatch(let type, let context) where !context.codingPath.isEmpty:
      return "field \(path(context)) must be \(Self.named(type))"
    case DecodingError.valueNotFound(let type, let context):
      return "field \(path(context)) must be \(Self.named(type))"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      let isThread = context.codingPath.last?.stringValue == Line.CodingKeys.thread.stringValue
      return
        "field \(path(context)) must be \(isThread ? "main or background" : "a smaller number")"
    default:
      // The decoder only says that this is no JSON.
      let number = text.firstMatch(of: /-?(?:[0-9.]+[eE][-+]?[0-9]{3,}|[0-9]{309,})/)
        .map { String($0.output) }
      return number.map { "\($0.quoted) is too large or too small a number; write another" }
        ?? "\(text.quoted) is no JSON object"
    }
  }

  private static func named(_ type: Any.Type) -> String {
    switch type {
    case is Double.Type: "a number"
    case is String.Type, is Line.Thread.Type: "text"
    default: "an object of counts by entity"
    }
  }

  private static func check(_ line: Line, _ origin: InputError.Origin) throws(InputError) {
    guard line.time.isFinite, abs(line.time) <= 1e12 else {
      throw InputError(origin, field: "time", "must be in seconds.\(milliseconds)")
    }
    for (path, entity, count) in line.counts {
      let most = [RecordedSave].mostObjects
      guard (0...Double(most)).contains(count), count == count.rounded() else {
        throw InputError(origin, field: path, "must be a whole number from 0 to \(most)")
      }
      guard entity == nil || AttributeDescription.isName(entity ?? "") else {
        throw InputError(
          origin, field: path, "the entity's name may have letters, digits and '_' only; rename it")
      }
    }
  }

  /// - Parameter names: the changed entities so far, by their names in lower case.
  private static func checkNames(
    _ line: Line, _ names: inout [String: String], _ origin: InputError.Origin
  ) throws(InputError) {
    for (path, entity, count) in line.counts where count > 0 {
      guard let entity else { continue }
      let known = names[entity.lowercased()] ?? entity
      names[entity.lowercased()] = known
      guard known == entity else {
        throw InputError(
          origin, field: path,
          "there is an entity \(known.quoted) too, and case makes no difference to SQLite;"
            + " rename one")
      }
    }
  }
}
