import Foundation
import GRDB
import ObjectGraph

class GRDBQueue {
  fileprivate let clock: StepClock
  fileprivate let queue: DatabaseQueue

  required init(file: URL, clock: StepClock) throws {
    self.clock = clock
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    queue = try DatabaseQueue(path: file.path(percentEncoded: false), configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
  }

  func close() throws { try queue.close() }
}

final class GRDBStatements: GRDBQueue, Contender {
  static let name = "GRDB statements"

  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int {
    let arguments = rows.enumerated().map { number, row in
      StatementArguments([(Int64(number + 1)).databaseValue] + row.map(\.databaseValue))
    }
    return try clock.measure {
      try queue.write { database in
        try database.execute(
          sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = 1", arguments: [rows.count])
        let statement = try database.makeStatement(
          sql: "INSERT INTO ZCITY VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?)")
        for row in arguments { try statement.execute(arguments: row) }
        return rows.count
      }
    }
  }

  func fetchFaults() throws -> Int {
    try clock.measure {
      try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZCITY").count }
    }
  }

  func fetchAndRead() throws -> Int {
    try clock.measure {
      try queue.read { database in
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM ZCITY")
        var sum = 0
        while let row = try rows.next() { sum += Self.read(row) }
        return sum
      }
    }
  }

  func fireFaults() throws -> Int {
    let keys = try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZCITY") }
    return try clock.measure {
      try queue.read { database in
        let statement = try database.makeStatement(sql: "SELECT * FROM ZCITY WHERE Z_PK = ?")
        return try keys.reduce(0) { sum, key in
          sum + (try Row.fetchOne(statement, arguments: [key]).map(Self.read) ?? 0)
        }
      }
    }
  }

  func update() throws -> Int {
    try change("UPDATE ZCITY SET Z_OPT = Z_OPT + 1, ZPOPULATION = ?1 WHERE Z_PK = ?1 AND Z_OPT = 1")
  }

  func delete() throws -> Int {
    try change("DELETE FROM ZCITY WHERE Z_PK = ? AND Z_OPT = 2")
  }

  private func change(_ sql: String) throws -> Int {
    let keys = try queue.read { try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZCITY") }
    return try clock.measure {
      try queue.write { database in
        let statement = try database.makeStatement(sql: sql)
        for key in keys { try statement.execute(arguments: [key]) }
        return keys.count
      }
    }
  }

  private static func read(_ row: Row) -> Int {
    let name: String = row[3 + City.name]
    let population: Int = row[3 + City.population]
    return name.utf8.count + population
  }
}

final class GRDBRecords: GRDBQueue, Contender {
  static let name = "GRDB records"

  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int {
    let records = rows.enumerated().map { CityRecord(key: Int64($0 + 1), row: $1) }
    return try clock.measure {
      try queue.write { database in
        for record in records { try record.insert(database) }
        return records.count
      }
    }
  }

  func fetchFaults() throws -> Int {
    try clock.measure { try queue.read { try CityRecord.fetchAll($0).count } }
  }

  func fetchAndRead() throws -> Int {
    try clock.measure {
      try queue.read { try CityRecord.fetchAll($0).reduce(0) { $0 + $1.sum } }
    }
  }

  func fireFaults() throws -> Int {
    let keys = try records().map(\.Z_PK)
    return try clock.measure {
      try queue.read { database in
        try keys.reduce(0) { sum, key in
          sum + (try CityRecord.fetchOne(database, key: key)?.sum ?? 0)
        }
      }
    }
  }

  func update() throws -> Int {
    var records = try records()
    return try clock.measure {
      try queue.write { database in
        for index in records.indices {
          records[index].ZPOPULATION = records[index].Z_PK
          records[index].Z_OPT += 1
          try records[index].update(database, columns: ["ZPOPULATION", "Z_OPT"])
        }
        return records.count
      }
    }
  }

  func delete() throws -> Int {
    let records = try records()
    return try clock.measure {
      try queue.write { database in
        for record in records { try record.delete(database) }
        return records.count
      }
    }
  }

  private func records() throws -> [CityRecord] { try queue.read { try CityRecord.fetchAll($0) } }
}

private struct CityRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "ZCITY"
  var Z_PK: Int64
  var Z_ENT = 1
  var Z_OPT = 1
  var ZGEONAME_ID: Int64
  var ZNAME: String
  var ZCOUNTRY_CODE: String
  var ZADMIN1_CODE: String?
  var ZLATITUDE: Double
  var ZLONGITUDE: Double
  var ZPOPULATION: Int64
  var ZTIMEZONE: String

  init(key: Int64, row: ContiguousArray<Value>) {
    Z_PK = key
    ZGEONAME_ID = Int64(row[0])
    ZNAME = String(row[1])
    ZCOUNTRY_CODE = String(row[2])
    ZADMIN1_CODE = String?(row[3])
    ZLATITUDE = Double(row[4])
    ZLONGITUDE = Double(row[5])
    ZPOPULATION = Int64(row[6])
    ZTIMEZONE = String(row[7])
  }

  var sum: Int { ZNAME.utf8.count + Int(ZPOPULATION) }
}

extension Value {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .int64(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .string(let value): value.databaseValue
    default: .null
    }
  }
}
