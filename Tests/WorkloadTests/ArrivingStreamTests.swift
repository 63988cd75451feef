import DataModel
import Foundation
import Support
import Testing

@testable import Workload

struct ArrivingStreamTests {
  private static let arrivals = "changes.stream=arrivals"

  @Test(arguments: ["rows", "json"])
  func `arrivals end with the expected rows, each row in one change`(
    format: String
  ) throws {
    for seed in 0..<20 as Range<UInt64> {
      let workload = try Related.workload(
        set: [Self.arrivals, "changes.format=\(format)", "changes.per_save=2"], seed: seed)
      let expected = workload.tables.map { Set($0.after.rows) }
      #expect(try Related.applying(workload.effects, workload.tables) == expected, "seed \(seed)")
      #expect(workload.counts.inserts == 4 && workload.counts.deletes == 3)
    }
  }

  @Test func `new and different rows arrive whole, unchanged ones do not`() throws {
    let batch = try Related.workload(set: [Self.arrivals]).batches[0].changes
    #expect(batch.contains(.upsert([.string("Blue"), .null], of: 2)))
    #expect(batch.contains(.upsert([.int64(4), .string("Di"), .string("Blue"), .null])))
    #expect(!batch.contains { if case .insert = $0.kind { true } else { false } })
    #expect(!batch.contains(.upsert([.int64(3), .string("Cy"), .null, .int64(2)])))
  }

  @Test func `unchanged rows that arrive as well make no change`() throws {
    for seed in 0..<20 as Range<UInt64> {
      let set = [Self.arrivals, "changes.unchanged_percent=100"]
      let workload = try Related.workload(set: set, seed: seed)
      let plain = try Related.workload(set: [Self.arrivals], seed: seed)
      let cy = Change.upsert([.int64(3), .string("Cy"), .null, .int64(2)])
      #expect(workload.changes.contains(cy))
      #expect(
        workload.changes.filter(Set(plain.changes).contains) == plain.changes,
        "the other arrivals keep their order")
      #expect(workload.counts == plain.counts && workload.digest != plain.digest)
      let expected = workload.tables.map { Set($0.after.rows) }
      #expect(try Related.applying(workload.effects, workload.tables) == expected, "seed \(seed)")
    }
  }

  @Test func `records already bring every row`() {
    let error = #expect(throws: InputError.self) {
      _ = try Related.scenario(
        set: [Self.arrivals, "changes.format=json", "changes.unchanged_percent=5"])
    }
    #expect(error?.field == "changes.unchanged_percent")
  }

  @Test func `a record holds the rows at both ends of its references`() throws {
    let workload = try Related.workload(set: [Self.arrivals, "changes.format=json"])
    let records = try #require(workload.batches[0].records.first)
    let json = try JSONSerialization.jsonObject(with: records) as? [[String: Any]]
    let people = try #require(json)
    #expect(people.count == 4)
    let ed = try #require(people.first { $0["name"] as? String == "Ed" })
    #expect((ed["team"] as? [String: Any])?["name"] as? String == "Blue")
    let boss = try #require(ed["boss"] as? [String: Any])
    #expect(boss["name"] as? String == "Bo")
    #expect((boss["boss"] as? [String: Any])?["id"] as? Int == 4)
    let tasks = try #require(ed["tasks"] as? [[String: Any]])
    #expect(tasks.count == 1 && tasks[0]["code"] as? String == "b")
    #expect(tasks[0]["person"] == nil, "the record around it says whose it is")
  }

  @Test func `joined saves hold all records, then all changes`() throws {
    let set = [Self.arrivals, "changes.format=json", "changes.per_save=2"]
    let apart = try Related.workload(set: set)
    let joined = try Related.workload(
      set: set + ["changes.rate_per_s=100", "changes.coalesce_ms=1000"])
    #expect(apart.batches[0].changes.isEmpty && apart.batches.last?.records == [])
    #expect(joined.batches.count == 1 && joined.changes == apart.changes)
    #expect(joined.batches[0].records == apart.batches.flatMap(\.records))
    #expect(joined.effects == [apart.effects.flatMap { $0 }])
  }

  @Test func `rows that refer to one another in a circle cannot be records`() throws {
    let (scenario, folder) = try Related.scenario(
      replacing: [("people2.csv", "4,Di,Blue,", "4,Di,Blue,2")],
      set: [Self.arrivals, "changes.format=json"])
    var check = WorkloadCheck()
    let error = #expect(throws: InputError.self) { try check.digest(of: scenario, seed: 1) }
    withExtendedLifetime(folder) {}
    let text = error?.description ?? ""
    #expect(text.contains(/people2\.csv:[24]: field 'boss': changes\.format json cannot nest/))
  }

  @Test func `delete_where comes last and has the list's deletes as its effect`() throws {
    let workload = try Related.workload(set: [Self.arrivals, "changes.delete_where=team == nil"])
    #expect(workload.batches.last?.changes == [.deleteWhere()])
    #expect(workload.effects.last == [.delete(key: .int64(1))])
    #expect(workload.counts.deletes == 3)
  }

  @Test(arguments: [
    "changes.format=json", "changes.delete_where=id == 1", "worker.find=constraint",
    "changes.unchanged_percent=5",
  ])
  func `fields for arrivals are refused in other streams`(set: String) throws {
    let error = #expect(throws: InputError.self) { _ = try Related.scenario(set: [set]) }
    #expect(error?.message.hasSuffix("is for changes.stream arrivals") == true)
  }

  @Test func `a constraint has to be declared`() throws {
    let error = #expect(throws: InputError.self) {
      _ = try Related.scenario(set: [Self.arrivals, "worker.find=constraint"])
    }
    #expect(error?.message == "'constraint' needs `unique: [id]` in model.Person")
  }
}

struct GeneratedTablesTests {
  private static func tables(_ name: String, percent: String) throws -> [TableRows] {
    let file = "\(Shipped.folder)/\(name).yaml"
    let set = ["generate.percent=\(percent)"]
    let scenario = try #require(try Scenario.load(file: file, set: set).first)
    return try Workload.make(scenario, seed: 1).tables
  }

  private func dangling(_ tables: [TableRows], _ rows: KeyPath<TableRows, DataSet>) -> Int {
    tables.reduce(0) { count, table in
      count
        + table.entity.references.enumerated().reduce(0) { count, pair in
          let column = table.entity.attributes.count + pair.offset
          let target = tables.first { $0.entity.name == pair.element.destination }
          return count
            + table[keyPath: rows].rows.count {
              $0[column] != .null && target?[keyPath: rows][$0[column]] == nil
            }
        }
    }
  }

  @Test(arguments: ["json-import", "import-15000", "patients"], ["2", "10"])
  func `every reference leads to a row of the same state`(name: String, percent: String) throws {
    let tables = try Self.tables(name, percent: percent)
    #expect(dangling(tables, \.before) == 0)
    #expect(dangling(tables, \.after) == 0)
  }

  @Test func `a share of the numbers is rounded up, for every entity`() throws {
    let tables = try Self.tables("import-15000", percent: "1")
    #expect(tables.map { $0.before.rows.count } == [0, 0, 0, 0])
    #expect(tables.map { $0.after.rows.count } == [100, 1, 2, 48])
    let whole = try Self.tables("import-15000", percent: "100")
    #expect(whole.reduce(0) { $0 + $1.after.rows.count } == 15_000)
  }

  @Test func `a story refuses numbers of other rows`() throws {
    let file = "\(Shipped.folder)/patients.yaml"
    let yaml = try String(contentsOfFile: file, encoding: .utf8)
      .replacing("Ward: { key: code }", with: "Ward: { key: code, rows: 9 }")
    let error = #expect(throws: InputError.self) {
      try Scenario.decode(yaml: yaml, file: file, set: [])
    }
    #expect(error?.field == "others.Ward.rows")
    #expect(error?.message == "generate.story hospital decides how many there are")
  }

  @Test func `marked patients were reported, unmarked ones have work left`() throws {
    let tables = try Self.tables("patients", percent: "20")
    let (patients, work) = (tables[0].after.rows, tables[4].after.rows)
    let busy = Set(work.filter { $0[2] == .bool(false) }.map { $0[3] })
    let unmarked = patients.filter { $0[3] == .bool(false) }
    #expect(unmarked.count == 8 && unmarked.allSatisfy { busy.contains($0[0]) })
    #expect(patients.count == 200 - 24 + 8 + 20)
    #expect(tables[0].before.rows.allSatisfy { $0[3] == .bool(false) })
  }
}
