import GRDB

struct CityRecord: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "city"
  let id: Int64
  let name: String
}

extension DatabasePool {
  /// Inserts new rows and updates known ones.
  func write(_ rows: [CityRecord]) async throws {
    for start in stride(from: 0, to: rows.count, by: 500) {
      let part = rows[start..<min(start + 500, rows.count)]
      try await write { db in for row in part { try row.upsert(db) } }
    }
  }

  /// The whole list now and after each write, fetched off the main thread.
  func lists() -> AsyncValueObservation<[CityRecord]> {
    ValueObservation.tracking { db in try CityRecord.order(Column("name")).fetchAll(db) }
      .values(in: self, bufferingPolicy: .bufferingNewest(1))
  }
}
