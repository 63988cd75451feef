import Support
import Foundation
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

/// A failure prints its seed.
@Suite struct PredicateAgreementTests {
  @Test(arguments: [UInt64.random(in: 0...UInt64.max), 1])
  func `SQL and memory give the same rows in the same order`(seed: UInt64) throws {
    var random = RandomValues(seed: seed)
    let store = try TestStore(.pool)
    let rows = (0..<120).map { _ in random.row(store.entity) }
    _ = try store.coordinator.save(store.insertion(of: rows))
    for number in 0..<2000 {
      let predicate = random.predicate(store.entity, depth: 3)
      let order = random.order(store.entity)
      let expected = rows.indices.filter { predicate.matches(rows[$0]) }
        .sorted { a, b in (order.order(rows[a], rows[b]), a) < (0, b) }
      let limit = Bool.random(using: &random.generator) ? nil : 7
      let found = try store.fetch(where: predicate, sortedBy: order, limit: limit)
      let keys = expected.prefix(limit ?? .max).map { Int64($0 + 1) }
      #expect(
        found.map(\.id.primaryKey) == keys,
        "seed \(seed), predicate \(number): \(predicate) by \(order) limit \(limit ?? -1)")
      let count = try store.coordinator.count(FetchRequest(store.entity, where: predicate))
      #expect(count == expected.count, "seed \(seed), predicate \(number): \(predicate)")
      store.coordinator.unregister(found.map(\.id))
    }
  }

  @Test func `a list of 500 is one statement that uses the index`() throws {
    let store = try TestStore(.pool, rows: 1000)
    let list = ValueSet((1...500).map { .int64($0 * 2) })
    let request = FetchRequest(store.entity, where: .isIn(Fixture.key, list))
    let (rows, log) = try watched { try store.coordinator.fetch(request) }
    #expect(rows.count == 500)
    #expect(log.counts == [.statements: 1, .rowsRead: 500])
    #expect(try plan(request, in: store).contains("USING INDEX ZCITY_ZKEY_INDEX"))
    let equal = FetchRequest(store.entity, where: .compare(Fixture.name, .equal, .string("city 5")))
    #expect(try plan(equal, in: store).contains("USING INDEX ZCITY_ZNAME_INDEX"))
  }

  @Test func `a search for a prefix uses an index`() throws {
    let store = try TestStore(.pool, rows: 1000)
    let begins = FetchPredicate.testing(
      .path(PredicatePath(column: Fixture.name)), .beginsWith, [], .constant(.string("city 77")))
    let request = FetchRequest(store.entity, where: begins)
    #expect(try plan(request, in: store).contains("USING INDEX ZCITY_ZNAME_INDEX"))
    #expect(try store.coordinator.fetch(request).count == 11)
  }

  @Test func `a key path uses the indexes of the keys`() throws {
    let store = try FamilyStore()
    let family = store.family
    func plan(_ format: String, _ entity: Entity) throws -> [String] {
      let predicate = try FetchPredicate(format: format, entity, in: family.model)
      let schema = try Schema(family.model)
      let sql = Query(FetchRequest(entity, where: predicate), .rows, in: schema).shape
        .sql(in: schema)
      return try store.queryPlan(sql).split(separator: "\n").map(String.init)
    }
    // Scans the first table; every other table uses an index.
    for (format, entity) in [
      ("employer.name == 'a'", family.person), ("ANY staff.name == 'a'", family.company),
      ("ANY friends.employer.name == 'a'", family.person), ("staff.@count > 3", family.company),
      ("SUBQUERY(projects, $x, $x.members.@count > 1).@count > 1", family.employee),
    ] {
      let steps = try plan(format, entity)
      #expect(steps.filter { $0.hasPrefix("SCAN") }.count == 1, "\(format): \(steps)")
      #expect(steps.contains { $0.hasPrefix("SEARCH t1") }, "\(format): \(steps)")
    }
  }

  @Test(arguments: [4096, 4097, 40_000])
  func `a list of any length takes one statement`(count: Int) throws {
    let store = try TestStore(.pool, rows: 100)
    let numbers = (0..<count).map { Value.int64(Int64($0) * 3) }
    let names = (0..<count).map { Value.string("city \($0 * 5)") }
    let predicate = FetchPredicate.and([
      .isIn(Fixture.key, ValueSet(numbers)), .not(.isIn(Fixture.name, ValueSet(names))),
    ])
    let (rows, log) = try watched {
      try store.fetch(where: predicate, sortedBy: [Sort(Fixture.key)])
    }
    let expected = (1...100).filter { $0 % 3 == 0 && $0 % 5 != 0 }.map(Int64.init)
    #expect(rows.map(\.id.primaryKey) == expected)
    #expect(log.counts[.statements] == 1)
  }

  @Test func `a predicate with thousands of alternatives runs in SQLite`() throws {
    let store = try TestStore(.pool, rows: 10)
    let any = FetchPredicate.or(
      (0..<5000).map { .compare(Fixture.key, .equal, .int64($0 * 2 + 1)) })
    #expect(try store.fetch(where: any).count == 5)
    #expect(try store.fetch(where: .not(any)).count == 5)
    // The nesting that `a || b || c …` produces.
    let chain = (1..<1000).reduce(FetchPredicate.compare(Fixture.key, .equal, .int64(1))) {
      $0 || .compare(Fixture.key, .equal, .int64(Int64($1 * 2 + 1)))
    }
    #expect(try store.fetch(where: chain).count == 5)
    #expect(try store.fetch(where: .not(chain)).count == 5)
  }

  @Test func `lists of similar length share a statement`() {
    #expect((1...16).map(paddedCount) == Array(1...16))
    #expect(paddedCount(17) == 18)
    #expect(paddedCount(500) == 512)
    #expect(paddedCount(512) == 512)
    #expect((17...5000).allSatisfy { $0...($0 + $0 / 8) ~= paddedCount($0) })
    #expect(Set((257...512).map(paddedCount)).count == 8)
  }

  private func plan(_ request: FetchRequest, in store: TestStore) throws -> String {
    let schema = try Schema(store.fixture.model)
    let query = Query(request, .rows, in: schema)
    return try store.queryPlan(query.shape.sql(in: schema))
  }
}

/// Few values, so that some are equal.
private struct RandomValues {
  var generator: SplitMix64

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  mutating func row(_ entity: Entity) -> ContiguousArray<Value> {
    ContiguousArray(
      entity.attributes.map { attribute in
        attribute.isOptional && chance(4) ? .null : value(attribute.type)
      })
  }

  mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .int64: .int64([.min, -1, 0, 1, 2, .max].randomElement(using: &generator)!)
    case .double: .double([-.infinity, -0.0, 0, 0.1, 1, 1e300].randomElement(using: &generator)!)
    case .bool: .bool(Bool.random(using: &generator))
    case .string:
      .string(
        ["", "a", "A", "ab", "é", "e\u{301}", "a\u{0}", "😀", "10", "9"]
          .randomElement(using: &generator)!)
    case .date:
      .date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -2...2, using: &generator))))
    case .data:
      .data([Data(), Data([0]), Data([0, 1]), Data([255])].randomElement(using: &generator)!)
    case .decimal: .decimal([-1e30, 0, 0.1, 0.3, 19.99].randomElement(using: &generator)!)
    case .uuid:
      .uuid([UUID(0, 0), UUID(0, 1), UUID(1 << 63, 0)].randomElement(using: &generator)!)
    case .uri: .uri(["a:", "a:b", "A:b", "é:"].randomElement(using: &generator)!)
    }
  }

  mutating func predicate(_ entity: Entity, depth: Int) -> FetchPredicate {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &generator) {
    case 0: return chance(2) ? .true : .false
    case 1, 2:
      let index = attribute(entity)
      let count = Int.random(in: 0...20, using: &generator)
      return .isIn(index, ValueSet((0..<count).map { _ in operand(entity, index) }))
    case 3, 4, 5:
      let index = attribute(entity)
      let comparison = FetchPredicate.Comparison.allCases.randomElement(using: &generator)!
      return .compare(index, comparison, operand(entity, index))
    case 6: return .not(predicate(entity, depth: depth - 1))
    case 7: return .and(parts(entity, depth: depth - 1))
    default: return .or(parts(entity, depth: depth - 1))
    }
  }

  mutating func order(_ entity: Entity) -> [Sort] {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      Sort(attribute(entity), isAscending: chance(2))
    }
  }

  private mutating func parts(_ entity: Entity, depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in predicate(entity, depth: depth) }
  }

  /// An operand, sometimes null or NaN.
  private mutating func operand(_ entity: Entity, _ index: Int) -> Value {
    let type = entity.attributes[index].type
    if chance(6) { return .null }
    if type == .double, chance(8) { return .double(.nan) }
    if type == .decimal, chance(8) { return .decimal(.nan) }
    return value(type)
  }

  private mutating func attribute(_ entity: Entity) -> Int {
    entity.attributes.indices.randomElement(using: &generator)!
  }

  private mutating func chance(_ oneIn: Int) -> Bool {
    Int.random(in: 0..<oneIn, using: &generator) == 0
  }
}
