import Baseline
import Foundation
import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite("Decimals, UUIDs and URIs") struct AttributeTypeTests {
  private let columns = "typeof(ZPRICE), typeof(ZTOKEN), length(ZTOKEN), typeof(ZSITE), ZSITE"

  @Test func `they are stored as a number, sixteen bytes and a text`() throws {
    let store = try TestStore(.pool, rows: 3)
    let row = try #require(try plain(store, "SELECT ZPRICE, \(columns) FROM ZCITY WHERE Z_PK = 3"))
    let expected: [any DatabaseValueConvertible] = [
      0.3, "real", "blob", 16, "text", "https://example.com/3",
    ]
    #expect(row == expected.map(\.databaseValue))
  }

  @Test func `a decimal that is not a number cannot be saved`() throws {
    let store = try TestStore(.pool)
    var bad = store.fixture.row(1)
    bad[Fixture.price] = .decimal(.nan)
    #expect(throws: StoreError.notANumber(entity: "City", attribute: "price")) {
      try store.coordinator.save(store.insertion(bad))
    }
  }

  @Test func `long lists find them`() throws {
    let store = try TestStore(.pool, rows: 10)
    for (column, value) in [
      (Fixture.price, { .decimal(Decimal($0) / 5) }), (Fixture.token, { .uuid(UUID(0, $0 * 2)) }),
      (Fixture.site, { .uri("https://example.com/\($0 * 2)") }),
    ] as [(Int, (UInt64) -> Value)] {
      let list = ValueSet((0..<5000).map { value($0) })
      let found = try store.fetch(where: .isIn(column, list), sortedBy: [Sort(Fixture.key)])
      #expect(found.map(\.id.primaryKey) == [2, 4, 6, 8, 10])
    }
  }

  @Test func `any content of their columns is read`() throws {
    let store = try TestStore(.pool, rows: 4)
    try store.coordinator.close()
    try DatabaseQueue(path: store.url.path(percentEncoded: false)).write { database in
      for (key, values) in [
        "9e999, x'01', 'http://['", "'text', zeroblob(99), ''", "x'00', 'text', 5",
        "-9e999, 1, x'FF'",
      ].enumerated() {
        try database.execute(
          sql: "UPDATE ZCITY SET (ZPRICE, ZTOKEN, ZSITE) = (\(values)) WHERE Z_PK = \(key + 1)")
      }
    }
    let coordinator = try store.secondCoordinator()
    let rows = try coordinator.fetch(FetchRequest(store.entity)).map(\.snapshot.values)
    #expect(rows.map { Decimal($0[Fixture.price]) } == [.nan, 0, 0, .nan])
    #expect(UUID(rows[0][Fixture.token]) == UUID(1 << 56, 0))
    #expect(UUID(rows[1][Fixture.token]) == UUID(0, 0))
    #expect(rows[0...1].map { "\(URL($0[Fixture.site]))" } == ["about:invalid", "about:invalid"])
    #expect(try store.plainRows().map(\.values).count == 4)
  }

  private func plain(_ store: TestStore, _ sql: String) throws -> [DatabaseValue]? {
    try store.url.sql { try Row.fetchOne($0, sql: sql).map { Array($0.databaseValues) } }
  }
}
