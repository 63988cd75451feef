import Baseline
import Foundation
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct AgedHistoryTests {
  @Test func `an old template has its rows, and a history that can be read and purged`() throws {
    let folder = try TemporaryFolder()
    let fixture = try Fixture()
    let url = folder.file("template.sqlite")
    try StoreFile.createTemplate(
      at: url, model: fixture.model, rows: [(fixture.entity, (1...20).map { fixture.row($0) })],
      age: 30)
    #expect(try PlainReader(url).rows(of: fixture.entity).count == 20)
    var configuration = StoreConfiguration(url: url, mode: .pool)
    #expect(throws: StoreError.self) {
      try SQLiteCoordinator(configuration, model: fixture.model)
    }
    configuration.keepsHistory = true
    let coordinator = try SQLiteCoordinator(configuration, model: fixture.model)
    let history = try coordinator.history()
    #expect(history.count == 30 && history.allSatisfy { $0.changes.count == 10 })
    #expect(try coordinator.deleteHistory(before: coordinator.currentHistoryToken()) == 29)
    try coordinator.close()
  }
}
