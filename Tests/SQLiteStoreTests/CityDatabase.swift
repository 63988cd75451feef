import GRDB

struct CityRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "city"
  let id: Int64
  let name: String
}

extension DatabasePool {
  func write(_ rows: [CityRecord]) async throws {
    for start in stride(from: 0, to: rows.count, by: 500) {
      try await write { db in for row in rows.dropFirst(start).prefix(500) { try row.upsert(db) } }
    }
  }

  func lists() -> AsyncValueObservation<[CityRecord]> {
    ValueObservation.tracking { db in try CityRecord.order(Column("name")).fetchAll(db) }
      .values(in: self, bufferingPolicy: .bufferingNewest(1))
  }
}
