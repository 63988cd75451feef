import Foundation
import GRDB

/// The request that failed.
public enum StoreOperation: String, Sendable {
  case opening, reading, saving, closing, using
  case batch = "a batch request on"
  case history = "the history of"
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
    case let damage as Damage:
      return StoreError.damaged(path: path, problem: damage.description)
    default: return error
    }
  }

  /// SQLite does not say why it cannot open a file. Nil if the file system allows it.
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
      "end the transaction of whoever holds its lock and repeat, or raise busyTimeout"
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
