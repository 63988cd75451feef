import DataModel
import Foundation
import Support
import Testing

@testable import Workload

struct WorkloadTests {
  @Test func `the difference holds only changed fields`() throws {
    let workload = try Small.workload(set: ["changes.per_save=all"])
    #expect(workload.batches.count == 1)
    #expect(
      Set(workload.changes) == [
        .delete(key: .int64(2)), .delete(key: .int64(4)),
        .update(
          key: .int64(1),
          fields: [
            .init(index: 1, value: .string("Aarau")), .init(index: 3, value: .double(10)),
          ]),
        .update(key: .int64(5), fields: [.init(index: 2, value: .null)]),
        .insert([.int64(6), .string("Flims"), .string("W"), .double(6.5)]),
        .insert([.int64(7), .string("Genf"), .null, .double(7.5)]),
      ])
    #expect(workload.counts == ChangeCounts(inserts: 2, updates: 2, deletes: 2))
  }

  @Test func `rows in another order give the same changes`() throws {
    let whole = ["changes.per_save=all"]
    let expected = try Small.workload(set: whole).changes
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let files = [Small.before, Small.after].map { file in
        var lines = file.split(separator: "\n")
        let header = lines.removeFirst()
        random.shuffle(&lines)
        return ([header] + lines).joined(separator: "\n")
      }
      let changes = try Small.workload(before: files[0], after: files[1], set: whole).changes
      #expect(changes.count == expected.count, "seed \(seed)")
      #expect(Set(changes) == Set(expected), "seed \(seed)")
    }
  }

  @Test func `a letter composed differently is a change`() throws {
    let header = "id,name,region,size\n"
    let workload = try Small.workload(
      before: header + "1,caf\u{E9},,1\n", after: header + "1,cafe\u{301},,1\n")
    #expect(workload.counts == ChangeCounts(updates: 1))
  }

  @Test(arguments: [(1, 6, 1), (2, 3, 2), (4, 2, 2), (6, 1, 6), (100, 1, 6)])
  func `batches hold at most the rows of one save`(size: Int, count: Int, last: Int) throws {
    let workload = try Small.workload(set: ["changes.per_save=\(size)"])
    #expect(workload.batches.count == count)
    #expect(workload.batches.dropLast().allSatisfy { $0.changes.count == size })
    #expect(workload.batches.last?.changes.count == last)
  }

  @Test func `replace deletes every row and then inserts every row, never in one batch`() throws {
    let workload = try Small.workload(set: ["changes.stream=replace", "changes.per_save=3"])
    #expect(workload.batches.map(\.changes.count) == [3, 2, 3, 2])
    let changes = workload.changes
    let deletes = (1...5 as ClosedRange<Int64>).map { Change.delete(key: .int64($0)) }
    #expect(Array(changes.prefix(5)) == deletes)
    #expect(Array(changes.suffix(5)) == workload.expectedRows.map { .insert($0) })
    let whole = try Small.workload(set: ["changes.stream=replace", "changes.per_save=all"])
    #expect(whole.batches.map(\.changes.count) == [5, 5])
  }

  @Test(arguments: ["incremental", "replace"], [1, 7, 500])
  func `the stream leads from the initial to the expected rows`(stream: String, size: Int) throws {
    for seed in 0..<10 as Range<UInt64> {
      let workload = try Small.workload(
        set: ["changes.stream=\(stream)", "changes.per_save=\(size)"], seed: seed)
      let result = try applying(workload.changes, to: workload.initialRows, keyIndex: 0)
      #expect(result == byKey(workload.expectedRows), "seed \(seed)")
      #expect(Fingerprint(result) == Fingerprint(workload.expectedRows), "seed \(seed)")
    }
  }

  @Test func `one seed gives one stream, another seed another order`() throws {
    let first = try Small.workload(seed: 5)
    #expect(try Small.workload(seed: 5).batches == first.batches)
    let orders = try Set((0..<30 as Range<UInt64>).map { try Small.workload(seed: $0).batches })
    #expect(orders.count > 20)
    for order in orders { #expect(Set(order.flatMap(\.changes)) == Set(first.changes)) }
  }

  @Test func `a smaller size keeps the first keys of both files together`() throws {
    let workload = try Small.workload(set: ["data.rows=4"])
    #expect(workload.initialRows.map { $0[0] } == [1, 2, 3, 4].map(Value.int64))
    #expect(byKey(workload.expectedRows).map { $0[0] } == [1, 3].map(Value.int64))
    #expect(workload.counts == ChangeCounts(updates: 1, deletes: 2))
    #expect(try Small.workload(set: ["data.rows=6"]).counts.inserts == 1)
    #expect(try Small.workload(set: ["data.rows=900"]).counts.total == 6)
  }

  @Test(
    arguments: [
      ([], "/small.yaml:13: field 'data.after': "), (["data.rows=3"], "--set data.rows=3: "),
      (["generate.rows=5"], "--set generate.rows=5: "),
      (
        ["changes.stream=arrivals", "changes.delete_where=id == 9"],
        "--set changes.delete_where=id == 9: "
      ),
    ] as [([String], String)])
  func `the error of rows that stay the same names what decides the changes`(
    set: [String], place: String
  ) throws {
    let error = #expect(throws: InputError.self) {
      try Small.workload(after: Small.before, set: set)
    }
    let text = error?.description ?? ""
    let end = "the rows before and after are the same: nothing to change"
    #expect(set.isEmpty ? text.hasSuffix(place + end) : text == place + end, "\(text)")
  }

  @Test func `an error in the data names the data file's line`() throws {
    let error = #expect(throws: InputError.self) {
      try Small.workload(after: Small.after + "9,X,,nine\n")
    }
    let text = error?.description ?? ""
    let end =
      "/after.csv:7: field 'size': 'nine' is no double; allowed: a decimal number that 64 bits"
      + " keep, such as 12.5 or 1e3. To keep it as it is written, declare 'size: string'"
    #expect(text.hasSuffix(end), "\(text)")
  }

  @Test(arguments: ["nine,b,,1", "1,b,,private", "3,b,,1\n3,b,,1", "\"pri\"vate"])
  func `an error quotes no line of a data file outside the scenario's folder`(rows: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("elsewhere/private.csv", "id,name,region,size\n\(rows)\n")
    try folder.write("mine/before.csv", Small.before)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/mine/link.csv", withDestinationPath: "../elsewhere/private.csv")
    for path in ["../elsewhere/private.csv", "link.csv"] {
      let file = try folder.write("mine/small.yaml", Small.yaml.replacing("after.csv", with: path))
      let error = #expect(throws: InputError.self) {
        try Workload.make(try #require(Scenario.load(file: file).first), seed: 1)
      }
      let message = try #require(error).message
      for word in ["nine", "private", "key 3"] { #expect(!message.contains(word), "\(message)") }
    }
  }

  @Test func `an error quotes at most 200 characters of a data file`() throws {
    let long = String(repeating: "nine ", count: 1000)
    for after in [Small.after + "9,X,,\(long)\n", "\(long),name\n"] {
      let error = #expect(throws: InputError.self) { try Small.workload(after: after) }
      #expect((100...400).contains(error?.message.count ?? 0), "\(error?.message ?? "")")
    }
  }

  @Test func `the list is sorted by bytes, null first, and the key decides between equals`() throws
  {
    let header = "id,name,region,size\n"
    let rows = "4,b,,1\n2,é,R,1\n9,a,R,1\n3,a,,1\n1,Z,R,1\n"
    let workload = try Small.workload(
      before: header, after: header + rows, set: ["list.sort=[-region,name]"])
    #expect(
      workload.inListOrder(workload.expectedRows).map { $0[0] }
        == [1, 9, 2, 3, 4].map(Value.int64))
  }
}

struct CityWorkloadTests {
  @Test func `the cities give 901 inserts, 1826 updates and 901 deletes`() throws {
    let workload = try Workload.make(Shipped.scenario("5000-cities"), seed: 1)
    #expect(workload.counts == ChangeCounts(inserts: 901, updates: 1826, deletes: 901))
    #expect(workload.initialRows.count == 5000)
    #expect(workload.expectedRows.count == 5000)
    #expect(workload.editableKeys.count == 2273)
    #expect(workload.batches.map(\.changes.count) == [500, 500, 500, 500, 500, 500, 500, 128])
    let result = try applying(workload.changes, to: workload.initialRows, keyIndex: 0)
    #expect(result == byKey(workload.expectedRows))
  }

  @Test func `5000-cities-replace replaces every row`() throws {
    let workload = try Workload.make(Shipped.scenario("5000-cities-replace"), seed: 1)
    #expect(workload.counts == ChangeCounts(inserts: 5000, deletes: 5000))
    #expect(workload.batches.count == 20)
    let same = try Workload.make(Shipped.scenario("5000-cities"), seed: 9)
    #expect(Fingerprint(workload.expectedRows) == Fingerprint(same.expectedRows))
  }
}
