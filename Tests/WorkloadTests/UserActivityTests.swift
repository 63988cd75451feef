import DataModel
import Foundation
import Support
import Testing

@testable import Workload

struct UserActivityTests {
  static func cities(
    edited: String = "population", seed: UInt64 = 1, set: [String] = []
  ) throws -> Workload {
    try Workload.make(
      Shipped.scenario("5000-cities", set: ["user.edited=\(edited)", "data.rows=200"] + set),
      seed: seed)
  }

  @Test func `edits leave the worker's rows alone`() throws {
    let workload = try Self.cities()
    let touched = Set(workload.changes.map(\.key))
    let edits = workload.userEdits(count: 500)
    #expect(edits.count == 500)
    #expect(touched.isDisjoint(with: edits.map(\.key)))
  }

  @Test func `edits of the worker's rows change other attributes, in either order`()
    throws
  {
    let workload = try Workload.make(
      Shipped.scenario("5000-cities", set: ["user.edited_rows=updated", "user.edited=name"]),
      seed: 1)
    let stream = workload.changes
    let edits = workload.userEdits(count: 300)
    var updated: Set<Value> = []
    for case .update(let key, let fields) in stream.map(\.kind)
    where !fields.contains(where: { $0.index == 1 }) {
      updated.insert(key)
    }
    #expect(updated.isSuperset(of: edits.map(\.key)))
    let expected = byKey(workload.expectedRows(afterEdits: 300))
    #expect(try applying(stream + edits, to: workload.initialRows, keyIndex: 0) == expected)
    #expect(try applying(edits + stream, to: workload.initialRows, keyIndex: 0) == expected)
  }

  @Test func `main's realised share is spread evenly over the list`() throws {
    let workload = try Generated.workload(set: ["main.realised_percent=10"])
    let sorted = workload.inListOrder(workload.initialRows).map { $0[0] }
    #expect(workload.realisedKeys == stride(from: 0, to: 100, by: 10).map { sorted[$0] })
    #expect(try Generated.workload(set: ["main.realised_percent=100"]).realisedKeys == sorted)
    #expect(try Generated.workload().realisedKeys == [])
    #expect(try Generated.workload(set: ["main.realised_percent=0.4"]).realisedKeys.count == 1)
  }

  @Test func `edits are the same each time, and a longer series begins as a shorter one`() throws {
    let workload = try Self.cities()
    #expect(workload.userEdits(count: 40) == Array(workload.userEdits(count: 300).prefix(40)))
    #expect(try Self.cities().userEdits(count: 40) == workload.userEdits(count: 40))
    #expect(try Self.cities(seed: 2).userEdits(count: 40) != workload.userEdits(count: 40))
    #expect(workload.userEdits(count: 0).isEmpty)
  }

  @Test(arguments: ["population", "name", "latitude", "admin1_code"])
  func `the expected rows after edits are those of stream and edits, in either order`(
    attribute: String
  ) throws {
    let workload = try Self.cities(edited: attribute)
    let stream = workload.changes
    let start = workload.initialRows
    for count in [0, 1, 7, 81, 400] {
      let edits = workload.userEdits(count: count)
      let expected = byKey(workload.expectedRows(afterEdits: count))
      #expect(try applying(stream + edits, to: start, keyIndex: 0) == expected, "\(count) edits")
      #expect(try applying(edits + stream, to: start, keyIndex: 0) == expected, "\(count) edits")
      #expect((expected == byKey(workload.expectedRows)) == (count == 0))
    }
  }

  @Test func `every kind of attribute can be edited, again and again, null or not`() throws {
    let yaml = """
      name: small
      asks: Is every kind edited?
      entity:
        name: Thing
        key: id
        attributes:
          { id: string, i: int64?, d: double?, b: bool?, s: string?, t: date?, x: data?, n: decimal?,
            u: uuid?, w: uri? }
      data: { before: before.csv, after: after.csv }
      """
    let header = "id,i,d,b,s,t,x,n,u,w\n"
    let uuid = "8F14E45F-CEEA-467F-A1D5-91A8B7D5A0C3"
    let rows = "a,1,1.5,true,S,2001-01-01,AAH/,19.99,\(uuid),a:b\nb,,,,,,,,,\n"
    for attribute in ["i", "d", "b", "s", "t", "x", "n", "u", "w"] {
      let workload = try Small.workload(
        yaml: yaml, before: header + rows, after: header + rows + "c,,,,,,,,,\n",
        set: ["user.edited=\(attribute)"])
      let edits = workload.userEdits(count: 6)
      let result = try applying(edits, to: workload.initialRows, keyIndex: 0)
      #expect(result != workload.initialRows, "\(attribute)")
      #expect(
        result == byKey(workload.expectedRows(afterEdits: 6)).filter { $0[0] != .string("c") })
    }
  }

  @Test func `edits without a row to edit are an error before anything runs`() throws {
    let header = "id,name,region,size\n"
    let error = #expect(throws: InputError.self) {
      try Small.workload(
        before: header + "1,a,,1\n", after: header + "1,b,,1\n", set: ["user.edits_per_s=1"])
    }
    #expect(error?.field == "user.edits_per_s")
  }

  @Test func `a second worker makes the user's edits, in batches`() throws {
    let one = try Self.cities()
    let two = try Self.cities(set: ["changes.second_worker=70", "changes.per_save=30"])
    #expect(two.secondBatches.map(\.changes.count) == [30, 30, 10])
    #expect(two.secondBatches.flatMap(\.changes) == one.userEdits(count: 70))
    #expect(two.expectedRows(afterEdits: 0) == one.expectedRows(afterEdits: 70))
    #expect(two.counts.updates == one.counts.updates + 70)
    #expect(one.secondBatches.isEmpty)
  }

  @Test(arguments: [
    (["changes.second_worker=1", "user.edits_per_s=1"], "must be 0 with user.edits_per_s"),
    (
      ["changes.second_worker=1", "changes.stream=replace"], "must be 0 with changes.stream replace"
    ),
  ])
  func `a second worker has its rows to itself`(settings: [String], words: String) throws {
    let error = #expect(throws: InputError.self) { try Small.workload(set: settings) }
    #expect(error?.field == "changes.second_worker")
    #expect(error?.description.contains(words) == true)
  }

  @Test func `fetches without a row to look up are an error before anything runs`() throws {
    let header = "id,name,region,size\n"
    let error = #expect(throws: InputError.self) {
      try Small.workload(
        before: header + "1,a,,1\n", after: header + "2,b,,1\n", set: ["user.fetches_per_s=1"])
    }
    #expect(error?.field == "user.fetches_per_s")
  }

  @Test func `fetches look up rows that exist before and after`() throws {
    let workload = try Self.cities()
    let before = Set(workload.initialRows.map { $0[0] })
    let lasting = before.intersection(workload.expectedRows.map { $0[0] })
    let keys = workload.userFetches(count: lasting.count)
    #expect(Set(keys) == lasting)
    #expect(try Self.cities().userFetches(count: 50) == Array(keys.prefix(50)))
    #expect(workload.userFetches(count: lasting.count + 1).last == keys.first)
  }
}
