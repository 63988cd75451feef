import DataModel
import Foundation
import Testing

@testable import Workload

struct ShippedScenariosTests {
  @Test func `there are scenarios to check`() {
    #expect(Shipped.files.count >= 2)
  }

  @Test(arguments: Shipped.files)
  func `every shipped scenario makes a workload, whole and at smoke size`(file: String) throws {
    let whole = try #require(try Scenario.load(file: file).first)
    #expect(whole.asks.hasSuffix("?") && !whole.asks.contains("\n"))
    // Large scenarios are made in their smoke size alone.
    if whole.generation.map({ $0.rows + $0.inserts }) ?? 0 < 100_000 {
      #expect(try Workload.make(whole, seed: 1).counts.total > 0)
    }
    for scenario in try Scenario.load(file: file, size: .smoke) {
      let workload = try Workload.make(scenario, seed: 1)
      #expect(workload.initialRows.count <= 200 && workload.counts.total <= 300)
      #expect(workload.counts.total > 0)
      if whole.generation?.deletes ?? 1 > 0 { #expect(workload.counts.deletes > 0) }
      if whole.generation?.updates ?? 0 > 0 { #expect(workload.counts.updates > 0) }
      if whole.generation?.inserts ?? 1 > 0 { #expect(workload.counts.inserts > 0) }
    }
  }

  @Test(arguments: ScenarioField.all.map(\.path))
  func `the documentation has every field as it is declared`(path: String) throws {
    let field = try #require(ScenarioField.named(path))
    let readme = try String(contentsOfFile: "\(Shipped.folder)/README.md", encoding: .utf8)
    #expect(
      readme.contains("\n\(field.documentation)\n"),
      "Scenarios/README.md needs the row: \(field.documentation)")
  }

  @Test func `the documentation names every shipped file and no removed field`() throws {
    let readme = try String(contentsOfFile: "\(Shipped.folder)/README.md", encoding: .utf8)
    for file in Shipped.files {
      #expect(readme.contains("`\(file.split(separator: "/").last ?? "")`"))
    }
    let table = readme.split(separator: "\n## ").first { $0.hasPrefix("Fields\n") } ?? ""
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
    #expect(rows.count == Set(ScenarioField.all.map(\.documentation)).count)
  }

  @Test(arguments: ScenarioModelKey.Subject.allCases)
  func `the documentation has every key of a model as it is declared`(
    subject: ScenarioModelKey.Subject
  ) throws {
    let readme = try String(contentsOfFile: "\(Shipped.folder)/README.md", encoding: .utf8)
    let keys = ScenarioModelKey.all.filter { $0.subject == subject }
    for key in keys {
      #expect(
        readme.contains("\n\(key.documentation)\n"),
        "Scenarios/README.md needs the row: \(key.documentation)")
    }
    #expect(readme.split(separator: "\n").count { $0.hasPrefix("| \(subject) `") } == keys.count)
  }

  @Test func `the data carry their attribution`() throws {
    let readme = try String(contentsOfFile: "\(Shipped.folder)/data/README.md", encoding: .utf8)
    #expect(readme.contains("GeoNames") && readme.contains("CC BY 4.0"))
  }

  @Test func `5000-cities has the documented sizes`() throws {
    let scenario = try Shipped.scenario("5000-cities")
    #expect(scenario.changes == .init(stream: .incremental, perSave: 500))
    #expect(scenario.find == .perBatch)
    #expect(scenario.realised == .visible)
    #expect(scenario.list.order.terms == [.init(attribute: 1), .init(attribute: 0)])
    #expect(scenario.list.visibleRows == 12)
    #expect(scenario.list.scrollRowsPerSecond == 0)
    #expect(scenario.list.frameRate == 60)
    #expect(scenario.drawing == .init(delta: .zero, cell: .zero, reload: .zero, frame: .zero))
    #expect(scenario.user.fetchesPerSecond == 0 && scenario.user.editsPerSecond == 0)
    #expect(scenario.horizon == .seconds(1))
    let twin = try Shipped.scenario("5000-cities-replace")
    #expect(twin.changes == .init(stream: .replace, perSave: 500))
  }

  /// A default that changes without `DataSource.version` would give two different works one digest.
  /// These fields have reports; the documentation's table holds the defaults of later ones.
  @Test func `defaults are part of the digest's version`() {
    let defaults = ScenarioField.all.filter { $0.role == .work }.compactMap { field in
      field.defaultValue.map { "\(field.path)=\($0.json)" }
    }
    #expect(
      Set(defaults).isSuperset(of: [
        "entity.references=[]", "others={}", "model={}", #"data.rows="all""#,
        #"generate.rows="none""#, "generate.inserts=0", "generate.updates=0", "generate.deletes=0",
        "generate.percent=100", #"generate.story="rows""#, "generate.seed=1",
        #"changes.stream="incremental""#, "changes.per_save=500",
        "changes.rate_per_s=0", "changes.coalesce_ms=0", #"changes.references="with-rows""#,
        #"changes.format="rows""#, #"changes.delete_where="none""#, "changes.second_worker=0",
        #"worker.find="per-batch""#,
        #"storage="local""#, #"main.realised="visible""#, "main.realised_percent=0",
        "list.sort=[]",
        "list.visible_rows=12", "list.scroll_rows_per_s=0", "list.frame_rate_hz=60",
        "drawing.delta_us=0", "drawing.cell_us=0", "drawing.reload_us=0", "drawing.frame_us=0",
        "drawing.snapshot_item_us=0", "user.fetches_per_s=0", "user.edits_per_s=0",
        #"user.edited_rows="untouched""#, #"user.edited="auto""#, "horizon_ms=1000",
        "repeat_for_ms=1000",
      ]))
  }
}
