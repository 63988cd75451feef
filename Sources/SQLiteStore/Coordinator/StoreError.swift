import Foundation
import GRDB

/// Why a file cannot serve as a store, a value cannot be stored, or a request failed.
///
/// Example: `Snippets/migration.swift`.
public enum StoreError: Error, Equatable, CustomStringConvertible {
  /// With SQLite's extended result code, such as 13 for a full disk.
  case sqlite(path: String, operation: StoreOperation, code: Int, reason: String)
  /// No store writes such content.
  case damaged(path: String, problem: String)
  case notADatabase(path: String)
  /// SQLite cannot keep a WAL there: it keeps `journal`.
  case noWAL(path: String, journal: String)
  case notAStore(path: String)
  case otherModel(path: String, stored: String, expected: String)
  case cannotInfer(path: String, problems: [String])
  case nameTaken(String, by: String, and: String)
  case notANumber(entity: String, attribute: String)
  case walLeft(path: String)
  case valueCount(entity: String, row: Int, count: Int, expected: Int)
  case noSuchRow(entity: String, key: String)
  case notStored(entity: String, attribute: String)
  case historyKept(path: String)
  /// A batch request would give two rows the same values, such as `name = "Agra"`.
  case notUnique(entity: String, values: [String])
  case deleteDenied(entity: String, relationship: String)
  /// A hook wrote to the store while its own save settled conflicts.
  case writtenByHook(path: String)
  /// SQLite gave up a pinned state when a read of it failed.
  case generationLost(path: String)

  /// Core Data's code for the error, if it has one.
  public var code: Int? {
    switch self {
    case .otherModel: 134_100
    case .cannotInfer: 134_190
    case .notUnique: 133_021
    case .deleteDenied: 1600
    default: nil
    }
  }

  public var description: String {
    switch self {
    case .sqlite(let path, let operation, let code, let reason):
      "\(operation.rawValue) '\(path)' failed: \(reason) (SQLite's code \(code)); "
        + Self.remedy(of: code)
    case .damaged(let path, let problem):
      "'\(path)' is damaged: \(problem); restore a copy, or make a new store"
    case .cannotInfer(let path, let problems):
      "'\(path)' was made with another model, and the models do not tell how its rows change:\n"
        + problems.map { "  " + $0 }.joined(separator: "\n")
    case .notADatabase(let path):
      "'\(path)' is not an SQLite database; name another file, or none to make a new store"
    case .noWAL(let path, let journal):
      "'\(path)' cannot have a write-ahead log (its journal stays '\(journal)'); name a file on a local disk"
    case .notAStore(let path):
      "'\(path)' is an SQLite database but not a store of this program (no Z_METADATA table); name "
        + "another file, or none to make a new store"
    case .otherModel(let path, let stored, let expected):
      "'\(path)' was made with another model; open it with that one, or with migratesAutomatically, or "
        + "make a new store.\n"
        + "  stored:   \(stored)\n  expected: \(expected)"
    case .nameTaken(let name, let first, let second):
      "'\(first)' and '\(second)' would both be called \(name) in the store, which does not tell "
        + "upper from lower case; rename one of them"
    case .notANumber(let entity, let attribute):
      "'\(entity).\(attribute)' is not a number (NaN), which SQLite would store as null; set a number"
    case .walLeft(let path):
      "'\(path)' holds commits that are not in the store's own file yet; close the store first"
    case .valueCount(let entity, let row, let count, let expected):
      "row \(row) of '\(entity)' has \(count) values; the entity has \(expected) columns"
    case .noSuchRow(let entity, let key): "no row of '\(entity)' has the key \(key)"
    case .notStored(let entity, let attribute):
      "'\(entity).\(attribute)' is transient, so that the store cannot keep it unique; make it "
        + "persistent, or take it out of the constraint"
    case .historyKept(let path):
      "'\(path)' keeps a history, which would have a gap; open it with keepsHistory, or delete the "
        + "history first"
    case .notUnique(let entity, let values):
      "the batch would give two rows of '\(entity)' the same \(values.joined(separator: ", ")), which "
        + "must be unique; set other values, or fewer rows"
    case .deleteDenied(let entity, let relationship):
      "'\(entity).\(relationship)' of a row to be deleted still holds rows that stay, and its delete rule "
        + "is deny; delete or move them first"
    case .writtenByHook(let path):
      "a hook wrote to '\(path)' while its own save settles conflicts there; write in a later block"
    case .generationLost(let path):
      "a failed read ended the pinned state of '\(path)'; set the context's query generation again"
    }
  }
}

/// The request that failed.
public enum StoreOperation: String, Sendable {
  case opening, reading, saving, closing, using
  case batch = "a batch request on"
  case history = "a history request on"
}

/// Content of the file that no store writes. The coordinator adds the path.
struct Damage: Error, CustomStringConvertible {
  let description: String
}

extension StoreConfiguration {
  /// Throws SQLite's errors and damage as `StoreError`.
  package func reporting<R>(_ operation: StoreOperation, _ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw reported(error, operation) }
  }

  /// Converts SQLite's errors and damage to `StoreError`.
  package func reported(_ error: any Error, _ operation: StoreOperation) -> any Error {
    switch error {
    case let error as DatabaseError:
      let isOpening = error.resultCode == .SQLITE_CANTOPEN
      return StoreError(
        error, path: path, operation, isOpening ? Self.reason(whyNotOpened: path) : nil)
    case let damage as Damage: return StoreError.damaged(path: path, problem: damage.description)
    default: return error
    }
  }

  /// Why SQLite cannot open the file, which it does not say; nil if the file system allows it.
  private static func reason(whyNotOpened path: String) -> String? {
    let manager = FileManager.default
    let folder = URL(filePath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if manager.fileExists(atPath: path, isDirectory: &isFolder) {
      if isFolder.boolValue { return "it is a folder" }
      return manager.isReadableFile(atPath: path) ? nil : "this user may not read it"
    }
    guard manager.fileExists(atPath: folder, isDirectory: &isFolder) else {
      return "the folder '\(folder)' does not exist"
    }
    guard isFolder.boolValue else { return "'\(folder)' is not a folder" }
    return manager.isWritableFile(atPath: folder)
      ? nil : "this user may not write in the folder '\(folder)'"
  }
}

extension StoreError {
  fileprivate init(
    _ error: DatabaseError, path: String, _ operation: StoreOperation, _ reason: String?
  ) {
    self = .sqlite(
      path: path, operation: operation, code: Int(error.extendedResultCode.rawValue),
      reason: reason ?? error.message ?? error.extendedResultCode.description)
  }

  /// Adds the path to an error of SQLite.
  package static func naming(_ path: String, in error: any Error) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let statement = error.sql.map { " while executing `\($0.prefix(60))`" } ?? ""
    return StoreError(
      error, path: path, .using,
      (error.message ?? error.extendedResultCode.description) + statement)
  }

  static func remedy(of code: Int) -> String {
    switch ResultCode(rawValue: CInt(truncatingIfNeeded: code)).primaryResultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      "end the transaction that holds its lock and repeat, or raise busyTimeout"
    case .SQLITE_FULL: "free space on its disk and repeat"
    case .SQLITE_CANTOPEN: "name a file in an existing folder that this user may write"
    case .SQLITE_READONLY, .SQLITE_PERM: "make the file and its folder writable"
    case .SQLITE_IOERR: "check its disk, then open the store again"
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: "restore a copy, or make a new store"
    case .SQLITE_MISUSE: "open another coordinator if this one was closed"
    default: "look the code up at https://www.sqlite.org/rescode.html"
    }
  }
}
