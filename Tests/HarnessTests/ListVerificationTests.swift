import Foundation
import ObjectGraph
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

struct ListVerificationTests {
  private struct Listed: ListOnMain {
    let rows: [ContiguousArray<Value>]
    var count: Int { rows.count }
    func row(at index: Int) -> ContiguousArray<Value> { rows[index] }
  }

  private static func cell() throws -> PreparedCell {
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/million.yaml"
    let scenario = try #require(try Scenario.load(file: file, size: .smoke).first)
    return try PreparedCell(
      Workload.make(scenario, seed: 1), topology: try #require(Topologies.builtIn.first),
      storeMode: .pool)
  }

  @Test func `what differs in a list is named, also after its rows were let go`() throws {
    let cell = try Self.cell()
    let folder = TemporaryFolder()
    let files = try CellFiles(folder.url, cell: cell)
    let store = try files.freshStore()
    _ = try RawSQLite(
      StoreConfiguration(url: store, mode: .pool), model: cell.model.model,
      rows: cell.model.tables.map(\.rowEntity), lookup: cell.lookup
    ).run(cell.effects)
    let table = cell.model.tables[0]
    let right = cell.workload.inListOrder(cell.workload.expectedRows).map(table.values)
    let expectation = Expectation(cell, edits: 0)
    cell.workload.freeRows()

    func wrong(_ rows: [ContiguousArray<Value>]) throws -> String? {
      let differing = expectation.differingRows(of: Listed(rows: rows), ofTable: 0, cell)
      return try StoreVerification(cell, expectation, store: store, lists: [differing]).wrong
    }
    #expect(try wrong(right) == nil)
    #expect(
      try wrong(Array(right.dropLast()))?.hasPrefix("the list on main lacks 1 row(s)") == true)
    #expect(
      try wrong(right.reversed()) == "the list on main holds the right rows in the wrong order")
    var changed = right
    changed[3][table.columns[4]] = .double(-1)
    #expect(try wrong(changed)?.contains("holds 1 row(s) with other values") == true)
  }
}
