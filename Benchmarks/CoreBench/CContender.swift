import Foundation
import GRDBSQLite
import ObjectGraph

/// SQLite's C API with prepared statements and one transaction for each step.
final class CContender: Contender {
  static let name = "C API"
  private let clock: StepClock
  private var handle: OpaquePointer?
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(file: URL, clock: StepClock) throws {
    self.clock = clock
    try check(sqlite3_open(file.path(percentEncoded: false), &handle))
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = NORMAL")
  }

  func close() throws { try check(sqlite3_close(handle)) }

  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int {
    try clock.measure {
      try transaction {
        // Reserves keys like a coordinator.
        try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + \(rows.count) WHERE Z_ENT = 1")
        let statement = try prepare("INSERT INTO ZCITY VALUES (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?)")
        defer { sqlite3_finalize(statement) }
        for (number, row) in rows.enumerated() {
          sqlite3_bind_int64(statement, 1, Int64(number + 1))
          for index in row.indices { bind(row[index], to: statement, at: CInt(index + 2)) }
          try step(statement)
        }
        return rows.count
      }
    }
  }

  func fetchFaults() throws -> Int {
    try clock.measure { try allKeys().count }
  }

  func fetchAndRead() throws -> Int {
    var cities: [CCity] = []
    return try clock.measure {
      let statement = try prepare("SELECT * FROM ZCITY")
      defer { sqlite3_finalize(statement) }
      while sqlite3_step(statement) == SQLITE_ROW { cities.append(CCity(statement)) }
      return cities.reduce(0) { $0 + $1.name.utf8.count + Int($1.population) }
    }
  }

  func readAlone() throws -> Int {
    try clock.measure {
      let statement = try prepare("SELECT * FROM ZCITY")
      defer { sqlite3_finalize(statement) }
      var sum = 0
      while sqlite3_step(statement) == SQLITE_ROW { sum += read(statement) }
      return sum
    }
  }

  func fireFaults() throws -> Int {
    let keys = try allKeys()
    return try clock.measure {
      let statement = try prepare("SELECT * FROM ZCITY WHERE Z_PK = ?")
      defer { sqlite3_finalize(statement) }
      var sum = 0
      for key in keys {
        sqlite3_bind_int64(statement, 1, key)
        if sqlite3_step(statement) == SQLITE_ROW { sum += read(statement) }
        sqlite3_reset(statement)
      }
      return sum
    }
  }

  func update() throws -> Int {
    try change("UPDATE ZCITY SET Z_OPT = Z_OPT + 1, ZPOPULATION = ? WHERE Z_PK = ? AND Z_OPT = 1")
  }

  func delete() throws -> Int {
    try change("DELETE FROM ZCITY WHERE Z_PK = ? AND Z_OPT = 2")
  }

  /// Runs the statement for each row, with the row's key as each parameter.
  private func change(_ sql: String) throws -> Int {
    let keys = try allKeys()
    return try clock.measure {
      try transaction {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        let parameters = sqlite3_bind_parameter_count(statement)
        for key in keys {
          for index in 1...parameters { sqlite3_bind_int64(statement, index, key) }
          try step(statement)
        }
        return keys.count
      }
    }
  }

  private func allKeys() throws -> [Int64] {
    let statement = try prepare("SELECT Z_PK FROM ZCITY")
    defer { sqlite3_finalize(statement) }
    var keys: [Int64] = []
    while sqlite3_step(statement) == SQLITE_ROW { keys.append(sqlite3_column_int64(statement, 0)) }
    return keys
  }

  private func read(_ statement: OpaquePointer?) -> Int {
    let name = String(cString: sqlite3_column_text(statement, CInt(3 + City.name)))
    let population = sqlite3_column_int64(statement, CInt(3 + City.population))
    return name.utf8.count + Int(population)
  }

  private func bind(_ value: Value, to statement: OpaquePointer?, at index: CInt) {
    switch value {
    case .int64(let value): sqlite3_bind_int64(statement, index, value)
    case .double(let value): sqlite3_bind_double(statement, index, value)
    case .string(let value): sqlite3_bind_text(statement, index, value, -1, Self.transient)
    default: sqlite3_bind_null(statement, index)
    }
  }

  private func transaction<R>(_ work: () throws -> R) throws -> R {
    try execute("BEGIN IMMEDIATE")
    let result = try work()
    try execute("COMMIT")
    return result
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    return statement
  }

  private func step(_ statement: OpaquePointer?) throws {
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    try check(code == SQLITE_DONE ? SQLITE_OK : code)
  }

  private func execute(_ sql: String) throws {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  private func check(_ code: CInt) throws {
    guard code == SQLITE_OK else {
      throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
    }
  }
}

private struct CCity {
  let key: Int64
  let version: Int64
  let geonameID: Int64
  let name: String
  let countryCode: String
  let admin1Code: String?
  let latitude: Double
  let longitude: Double
  let population: Int64
  let timezone: String

  init(_ statement: OpaquePointer?) {
    func text(_ column: CInt) -> String? {
      sqlite3_column_text(statement, column).map { String(cString: $0) }
    }
    key = sqlite3_column_int64(statement, 0)
    version = sqlite3_column_int64(statement, 2)
    geonameID = sqlite3_column_int64(statement, 3)
    name = text(4) ?? ""
    countryCode = text(5) ?? ""
    admin1Code = text(6)
    latitude = sqlite3_column_double(statement, 7)
    longitude = sqlite3_column_double(statement, 8)
    population = sqlite3_column_int64(statement, 9)
    timezone = text(10) ?? ""
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func check(_ found: Int, is expected: Int, in step: String, of contender: String) throws {
    guard found == expected, found > 0 else {
      throw differs(step, contender, found: found, expected: expected)
    }
  }

  static func differs(_ step: String, _ contender: String, found: Int, expected: Int) -> Self {
    Self("\(contender) did not do the work of '\(step)': \(found) instead of \(expected)")
  }
}
