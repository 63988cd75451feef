import Foundation
import Support
import Testing

@testable import Workload

struct DigestTests {
  static func digest(
    _ yaml: String = Small.yaml, set: [String] = [], after: String = Small.after
  ) throws -> String {
    try Small.workload(yaml: yaml, after: after, set: set).digest
  }

  @Test func `the digest has 64 digits and depends on neither folder nor seed`() throws {
    let digest = try Self.digest()
    #expect(digest.count == 64)
    #expect(digest.allSatisfy { $0.isHexDigit && !$0.isUppercase })
    #expect(try Self.digest() == digest)
    #expect(try Small.workload(seed: 99).digest == digest)
  }

  @Test(arguments: [
    ("asks: Does it work?", "asks: Something else?"),
    ("  before: before.csv", "  before: ./before.csv"),
    ("changes:\n  per_save: 2", "changes: { per_save: 2, stream: incremental }"),
    ("changes:\n  per_save: 2", "changes: { per_save: 2 }\ntrials: 9"),
    ("changes:\n  per_save: 2", "# a word\nhorizon_ms: 1000.0\nchanges: { per_save: 2 }"),
  ])
  func `names, paths, trials, comments and stated defaults do not count`(
    old: String, new: String
  ) throws {
    #expect(Small.yaml.contains(old))
    #expect(try Self.digest(Small.yaml.replacing(old, with: new)) == Self.digest())
  }

  @Test(arguments: [
    "data.rows=6", "changes.stream=replace", "changes.per_save=3",
    "changes.references=afterwards", "worker.find=per-object",
    "main.realised=all", "list.sort=[-name]", "list.visible_rows=13", "list.scroll_rows_per_s=1",
    "list.frame_rate_hz=120", "drawing.delta_us=1", "drawing.cell_us=1", "drawing.reload_us=1",
    "drawing.frame_us=1", "user.fetches_per_s=1", "user.edits_per_s=1", "user.edited=name",
    "horizon_ms=500", "repeat_for_ms=500", "main.realised_percent=5",
    "drawing.snapshot_item_us=1", "user.edited_rows=updated", "storage=phone",
    "changes.second_worker=1", "worker.undo=true", "user.counts_per_s=1",
    "user.count_where=id > 1", "user.search_where=name == $text",
  ])
  func `every field that changes the work counts`(set: String) throws {
    #expect(try Self.digest(set: [set]) != Self.digest())
  }

  @Test func `how rows arrive counts`() throws {
    let digest = try Self.digest(set: ["changes.stream=arrivals"])
    #expect(try Self.digest() != digest)
    for other in ["changes.format=json", "changes.delete_where=id == 1"] {
      #expect(try Self.digest(set: ["changes.stream=arrivals", other]) != digest, "\(other)")
    }
  }

  @Test func `searches and the place of questions count`() throws {
    let search = "user.search_where=name == $text"
    let digest = try Self.digest(set: [search])
    for other in ["user.searches_per_s=1", "user.asks_in=background"] {
      #expect(try Self.digest(set: [search, other]) != digest, "\(other)")
    }
  }

  @Test func `a rate and its span count`() throws {
    let digest = try Self.digest(set: ["changes.rate_per_s=200"])
    #expect(try Self.digest() != digest)
    let joined = try Self.digest(set: ["changes.rate_per_s=200", "changes.coalesce_ms=6"])
    #expect(joined != digest)
  }

  @Test(arguments: ScenarioField.all.map(\.path))
  func `a field counts where its role is work, and its value is not the default`(
    path: String
  ) throws {
    let field = try #require(ScenarioField.named(path))
    func text(_ value: ParameterValue) -> String {
      DataSource.canonicalText(
        of: ScenarioField.all.map { field in
          (field.path, field.path == path ? value : field.defaultValue ?? .text(""))
        })
    }
    let isCounted = text(.text("another value")).contains("\(path)=\"another value\"\n")
    #expect(isCounted == (field.role == .work))
    if let value = field.defaultValue { #expect(!text(value).contains("\n\(path)=")) }
  }

  @Test func `the entity and the data count`() throws {
    let digest = try Self.digest()
    #expect(try Self.digest(Small.yaml.replacing("name: City", with: "name: Town")) != digest)
    #expect(
      try Self.digest(Small.yaml.replacing("size: double", with: "size: double?")) != digest)
    #expect(try Self.digest(after: Small.after.replacing("7.5", with: "7.6")) != digest)
  }

  @Test func `the canonical text is pinned, whatever the order of the file`() throws {
    let text = """
      topobench scenario 1
      changes.per_save=2
      entity.attributes={"id":"int64","name":"string","region":"string?","size":"double"}
      entity.key="id"
      entity.name="City"
      list.sort=["name"]

      """
    #expect(DataSource.canonicalText(of: try Small.scenario().fields) == text)
    let lines = Small.yaml.split(separator: "\n").map(String.init)
    let turned = (lines[13...] + lines[..<13]).joined(separator: "\n")
    #expect(DataSource.canonicalText(of: try Small.scenario(yaml: turned).fields) == text)
  }
}
