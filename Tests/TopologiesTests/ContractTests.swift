import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
public import Testing
public import Topologies

extension TopologyDescriptor: CustomTestStringConvertible {
  public var testDescription: String { name }
}

struct Variant: Sendable, CustomTestStringConvertible {
  let topology: TopologyDescriptor
  let mode: StoreMode

  static let all = Topologies.builtIn.flatMap { topology in
    topology.storeModes.map { Variant(topology: topology, mode: $0) }
  }

  var testDescription: String { "\(topology.name), \(mode.rawValue)" }
}

/// Behaviour of every topology.
@Suite("The contract of a topology")
struct ContractTests {
  @Test(arguments: Variant.all)
  func `settled changes are in the store and in main's list`(
    variant: Variant
  ) async throws {
    try await Bench.with(variant.topology, variant.mode) { bench in
      for batch in Stream.batches { try await bench.topology.apply(batch) }
      try await bench.topology.settle()
      #expect(try bench.stored() == Stream.expected)
      #expect(bench.shown() == Stream.expected)
      #expect(bench.topology.lastCommit != nil)
      let stale = try bench.main.sync { try bench.topology.staleObjectsOnMain() }
      #expect(stale == (variant.topology.kind == .peer ? nil : 0))
    }
  }

  @Test(arguments: Topologies.builtIn)
  func `lookups per object and per batch find the same rows`(
    topology: TopologyDescriptor
  ) async throws {
    try await Bench.with(topology, lookup: .perObject) { bench in
      for batch in Stream.batches { try await bench.topology.apply(batch) }
      try await bench.topology.settle()
      #expect(try bench.stored() == Stream.expected)
      #expect(bench.shown() == Stream.expected)
    }
  }

  @Test(arguments: Variant.all)
  func `an update that only composes a letter otherwise is stored`(variant: Variant) async throws {
    try await Bench.with(variant.topology, variant.mode) { bench in
      for name in ["Z\u{FC}rich", "Zu\u{308}rich", "Z\u{FC}rich"].map(Value.string) {
        try await bench.topology.apply([
          .update(key: .int64(2), fields: [FieldChange(index: 1, value: name)])
        ])
        try await bench.topology.settle()
        #expect(try bench.stored().first { $0[0] == .int64(2) }?[1] == name)
      }
    }
  }

  @Test(arguments: Topologies.builtIn)
  func `a loaded list shows the initial rows in order`(topology: TopologyDescriptor) async throws {
    try await Bench.with(topology) { bench in
      #expect(bench.shown() == Bench.initial.sorted(by: Bench.isListed))
    }
  }

  @Test(arguments: Variant.all)
  func `the user's edits on main and the worker's changes both reach the store`(
    variant: Variant
  ) async throws {
    try await Bench.with(variant.topology, variant.mode) { bench in
      let edit = Change.update(
        key: .int64(20), fields: [FieldChange(index: 1, value: .string("aaa"))])
      try await bench.topology.apply(Stream.batches[0])
      try bench.main.sync {
        #expect(try bench.topology.fetchOnMain([.int64(20), .int64(21), .int64(999)]) == 2)
        try bench.topology.editOnMain([edit])
      }
      try await bench.topology.apply(Stream.batches[1])
      try await bench.topology.settle()
      var expected = Stream.expected
      let row = try #require(expected.firstIndex { $0[0] == .int64(20) })
      expected[row][1] = .string("aaa")
      expected.sort(by: Bench.isListed)
      #expect(try bench.stored() == expected)
      #expect(bench.shown() == expected)
    }
  }

  @Test(arguments: Variant.all)
  func `counts and searches find settled rows, on main and in the background`(
    variant: Variant
  ) async throws {
    try await Bench.with(variant.topology, variant.mode) { bench in
      for batch in Stream.batches { try await bench.topology.apply(batch) }
      try await bench.topology.settle()
      var query = Bench.byName
      query.predicate = City.population >= 20
      query.limit = 5
      let expected = Stream.expected.filter {
        if case .int64(20...) = $0[2] { true } else { false }
      }
      let topology = bench.topology
      let found = try await topology.search(query)
      try bench.main.sync { [query] in
        for list in [try topology.searchOnMain(query), found] {
          #expect((0..<list.count).map(list.row) == Array(expected.prefix(5)))
        }
        #expect(try topology.countOnMain(query) == expected.count)
      }
      #expect(try await topology.count(query) == expected.count)
    }
  }

  @Test(arguments: Topologies.builtIn)
  func `changing a missing row is an error, and the topology keeps working`(
    topology: TopologyDescriptor
  ) async throws {
    try await Bench.with(topology) { bench in
      await #expect(throws: ChangeError.self) {
        try await bench.topology.apply([.delete(key: .int64(999))])
      }
      for batch in Stream.batches { try await bench.topology.apply(batch) }
      try await bench.topology.settle()
      #expect(try bench.stored() == Stream.expected)
    }
  }

  @Test(arguments: [
    "notification-merge", "parent-child", "private-from-main", "root-hybrid", "sliced-merge",
    "thread-confinement", "context-actor",
  ])
  func `a worker that lives for the run drops the changes of a batch that fails`(
    name: String
  ) async throws {
    let topology = try #require(Topologies.builtIn.first { $0.name == name })
    let bench = try Bench(topology, reusesWorkers: true)
    try await bench.topology.load()
    await #expect(throws: ChangeError.self) {
      try await bench.topology.apply([
        .insert(City.values(900, "lost")), .delete(key: .int64(999)),
      ])
    }
    for batch in Stream.batches { try await bench.topology.apply(batch) }
    try await bench.topology.settle()
    #expect(try bench.stored() == Stream.expected)
    #expect(bench.shown() == Stream.expected)
    try await bench.close()
  }

  @Test(arguments: Topologies.builtIn)
  func `a descriptor has its wiring, its cost on main and when to choose it`(
    topology: TopologyDescriptor
  ) throws {
    let said =
      [
        topology.wiring, topology.summary, try #require(topology.mainCosts),
        try #require(topology.chooseWhen),
      ] + topology.knownAs
    #expect(topology.knownAs.isEmpty == (topology.name == "sliced-merge"))
    for text in said {
      #expect(!text.isEmpty && !text.contains { $0.isNewline })
    }
    #expect(topology.wiring.count <= 78, "a picture of one line of a terminal")
  }

  @Test func `names are unique, and the default topologies are built in`() {
    let names = Topologies.builtIn.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(Topologies.founding).isSubset(of: names))
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
  }
}
