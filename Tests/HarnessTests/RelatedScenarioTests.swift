import Foundation
import Judging
import Measurement
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

@Suite(.timeLimit(.minutes(2)))
struct RelatedScenarioTests {
  private let folder = TemporaryFolder()

  private static let yaml = """
    name: related
    asks: Does it work?
    entity:
      name: Person
      key: id
      attributes: { id: int64, name: string }
      references: [home]
    others:
      Visit: { key: number, references: [who, place], before: visits1.csv, after: visits2.csv }
      Place: { key: name, references: [part_of], before: places1.csv, after: places2.csv }
    data: { before: people1.csv, after: people2.csv }
    list: { sort: [name] }
    changes: { per_save: 4 }
    repeat_for_ms: 0
    model:
      Person:
        relationships:
          home: { to_one: Place, inverse: people }
          visits: { to_many: Visit, inverse: who, delete_rule: cascade }
      Visit:
        attributes: { number: int64, days: double? }
        relationships:
          who: { to_one: Person, inverse: visits, optional: false }
          place: { to_one: Place, inverse: visits }
      Place:
        attributes: { name: string, kind: { type: string, default: town } }
        relationships:
          part_of: { to_one: Place, inverse: parts }
          parts: { to_many: Place, inverse: part_of }
          people: { to_many: Person, inverse: home }
          visits: { to_many: Visit, inverse: place }
    """

  private static func rows(_ header: String, _ rows: [String]) -> String {
    ([header] + rows).joined(separator: "\n") + "\n"
  }

  private func file() throws -> String {
    let texts = [
      "related.yaml": Self.yaml,
      "people1.csv": Self.rows(
        "id,name,home", (1...12).map { "\($0),person \($0),\(["Aar", "Bern", ""][$0 % 3])" }),
      "people2.csv": Self.rows(
        "id,name,home", (4...15).map { "\($0),person \($0 / 2),\(["Aar", "Chur", ""][$0 % 3])" }),
      "places1.csv": "name,kind,part_of\nAar,town,Alps\nBern,town,\nAlps,hills,\n",
      "places2.csv": "name,kind,part_of\nChur,town,Aar\nAar,town,\n",
      "visits1.csv": Self.rows(
        "number,days,who,place", (1...10).map { "\($0),\($0).5,\($0),Bern" }),
      "visits2.csv": Self.rows(
        "number,days,who,place",
        (5...14).map { "\($0),,\(4 + $0 % 9),\($0 % 2 == 0 ? "Chur" : "")" }),
    ]
    for (name, text) in texts {
      try text.write(to: folder.url.appending(path: name), atomically: true, encoding: .utf8)
    }
    return folder.url.appending(path: "related.yaml").path
  }

  private func cell(
    _ topology: TopologyDescriptor, _ store: StoreMode, set: [String]
  ) async throws -> CellResult {
    try await CellRunner.run(topology, of: file(), set: set, store: store, in: folder).result
  }

  @Test(arguments: Topologies.builtIn, StoreMode.allCases)
  func `every topology ends with the same rows and references`(
    topology: TopologyDescriptor, store: StoreMode
  ) async throws {
    var fingerprints: Set<String> = []
    for set in [
      ["worker.find=per-batch"], ["worker.find=per-object"], ["changes.references=afterwards"],
      ["changes.stream=replace", "changes.per_save=all"], ["changes.stream=arrivals"],
      ["changes.stream=arrivals", "changes.format=json", "worker.find=per-object"],
    ] {
      let result = try await cell(topology, store, set: set)
      #expect(result.status != .crashed && result.status != .wrong, "\(set): \(result.error)")
      #expect(try #require(result.metrics["raw_sqlite_ms"]) > 0)
      fingerprints.insert(result.fingerprint)
    }
    let scenario = try #require(try Scenario.load(file: try file()).first)
    #expect(fingerprints == [try Workload.make(scenario, seed: 1).fingerprintOfFiles])
  }

  @Test func `a different or dangling reference is wrong`() async throws {
    let topology = try #require(Topologies.builtIn.first)
    let scenario = try #require(try Scenario.load(file: try file()).first)
    let cell = try PreparedCell(
      Workload.make(scenario, seed: 1), topology: topology, storeMode: .pool)
    let files = try CellFiles(folder.url, cell: cell)
    var raw = try RawBaseline(cell, files: files)
    try raw.run(times: 1)
    let expectation = Expectation(cell, edits: 0)
    let template = try files.freshStore()
    let untouched = try StoreVerification(cell, expectation, store: template, lists: [])
    #expect(untouched.wrong?.hasPrefix("the store lacks 3 row(s)") == true)
    #expect(untouched.fingerprint != expectation.fingerprint.hex)
  }
}
