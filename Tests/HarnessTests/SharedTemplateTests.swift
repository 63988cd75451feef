import Foundation
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

struct SharedTemplateTests {
  @Test func `the template of an old store is made once a run`() throws {
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/aged-store.yaml"
    let scenario = try #require(try Scenario.load(file: file, size: .smoke).first)
    let cell = try PreparedCell(
      Workload.make(scenario, seed: 1), topology: try #require(Topologies.builtIn.first),
      storeMode: .pool)
    let run = TemporaryFolder()
    for _ in 1...2 {
      let folder = TemporaryFolder()
      _ = try CellFiles(folder.url, cell: cell, sharing: run.url).freshStore()
      let template = folder.url.appendingPathComponent("template.sqlite").path
      #expect(!FileManager.default.fileExists(atPath: template))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: run.url.path)
        == ["template-\(cell.workload.digest).sqlite"])
  }
}
