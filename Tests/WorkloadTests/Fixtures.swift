import DataModel
import Foundation
import Support
import Testing

@testable import Workload

final class TemporaryFolder {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "workload tests \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates missing folders; returns the path.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}

/// The parts of a valid small scenario; a test replaces one to make a mistake.
enum Small {
  static let yaml = """
    name: small
    asks: Does it work?
    entity:
      name: City
      key: id
      attributes:
        id: int64
        name: string
        region: string?
        size: double
    data:
      before: before.csv
      after: after.csv
    changes:
      per_save: 2
    list:
      sort: [name]
    """

  static let before = """
    id,name,region,size
    1,Aar,X,1.5
    2,Bern,,2.5
    3,Chur,Z,3.5
    4,Davos,,4.5
    5,Elm,Y,5.5

    """

  /// 2 and 4 go, 1 and 5 change, 3 stays, 6 and 7 come.
  static let after = """
    id,name,region,size
    7,Genf,,7.5
    6,Flims,W,6.5
    5,Elm,,5.5
    3,Chur,Z,3.5
    1,Aarau,X,10

    """

  static let entity = RowDescription(
    name: "City",
    attributes: [
      AttributeDescription("id", .int64, isOptional: false),
      AttributeDescription("name", .string, isOptional: false),
      AttributeDescription("region", .string, isOptional: true),
      AttributeDescription("size", .double, isOptional: false),
    ], keyIndex: 0)

  static func files(
    in folder: TemporaryFolder, yaml: String = yaml, before: String = before, after: String = after
  ) throws -> String {
    try folder.write("before.csv", before)
    try folder.write("after.csv", after)
    return try folder.write("small.yaml", yaml)
  }

  /// The error of loading the small scenario with one replaced text.
  static func error(
    replacing old: String, with new: String, set: [String] = []
  ) throws -> (error: InputError?, file: String) {
    #expect(yaml.contains(old), "the fixture no longer holds what this test replaces")
    let folder = try TemporaryFolder()
    let file = try files(in: folder, yaml: yaml.replacingOccurrences(of: old, with: new))
    do throws(InputError) {
      _ = try Scenario.load(file: file, set: set)
      return (nil, file)
    } catch {
      return (error, file)
    }
  }

  static func scenario(
    yaml: String = yaml, before: String = before, after: String = after, set: [String] = []
  ) throws -> Scenario {
    let folder = try TemporaryFolder()
    let file = try files(in: folder, yaml: yaml, before: before, after: after)
    return try #require(try Scenario.load(file: file, set: set).first)
  }

  static func workload(
    yaml: String = yaml, before: String = before, after: String = after, set: [String] = [],
    seed: UInt64 = 1
  ) throws -> Workload {
    let folder = try TemporaryFolder()
    let file = try files(in: folder, yaml: yaml, before: before, after: after)
    return try Workload.make(
      try #require(try Scenario.load(file: file, set: set).first), seed: seed)
  }
}

enum Shipped {
  static let folder = ScenarioLibrary.sourceTree + "/Scenarios"

  static let files: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".yaml") }.sorted().map { "\(folder)/\($0)" }

  static func scenario(_ name: String, set: [String] = []) throws -> Scenario {
    try #require(try Scenario.load(file: "\(folder)/\(name).yaml", set: set).first)
  }
}

extension Workload {
  var changes: [Change] { batches.flatMap(\.changes) }
}

extension Change {
  /// Where the key is the first attribute.
  var key: Value { key(at: 0) ?? .null }
}

/// Applies a stream the plainest way; every step must make sense.
func applying(_ changes: some Sequence<Change>, to rows: [Row], keyIndex: Int) throws -> [Row] {
  var table = Dictionary(uniqueKeysWithValues: rows.map { ($0[keyIndex], $0) })
  for change in changes {
    switch change.kind {
    case .insert(let row):
      #expect(table.updateValue(row, forKey: row[keyIndex]) == nil, "inserted twice: \(row)")
    case .delete(let key):
      #expect(table.removeValue(forKey: key) != nil, "deleted what is not there: \(key)")
    case .update(let key, let fields):
      var row = try #require(table[key], "updated what is not there: \(key)")
      for field in fields {
        #expect(field.index != keyIndex, "an update changes the key \(key)")
        #expect(row[field.index] != field.value, "an update without effect on \(key)")
        row[field.index] = field.value
      }
      table[key] = row
    default: Issue.record("no plain change of the list's rows: \(change)")
    }
  }
  return table.values.sorted { $0[keyIndex] < $1[keyIndex] }
}

func byKey(_ rows: [Row], _ keyIndex: Int = 0) -> [Row] {
  rows.sorted { $0[keyIndex] < $1[keyIndex] }
}
