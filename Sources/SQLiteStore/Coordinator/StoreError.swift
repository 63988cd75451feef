/// Why a file cannot serve as a store, a value cannot be stored, or a request failed.
public enum StoreError: Error, Equatable, CustomStringConvertible {
  /// With SQLite's extended result code, such as 13 for a full disk.
  case sqlite(path: String, operation: StoreOperation, code: Int, reason: String)
  /// No store writes such content.
  case damaged(path: String, problem: String)
  case notADatabase(path: String)
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
  case notUnique(entity: String, reason: String)
  case deleteDenied(entity: String, relationship: String)
  /// A hook wrote to the store while its own save settled conflicts.
  case writtenByHook(path: String)

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
      "'\(path)' was made with another model, and what becomes of its rows does not follow:\n"
        + problems.map { "  " + $0 }.joined(separator: "\n")
    case .notADatabase(let path):
      "'\(path)' is not an SQLite database; name another file, or none to make a new store"
    case .notAStore(let path):
      "'\(path)' is an SQLite database but not a store of this program (no Z_METADATA table); name "
        + "another file, or none to make a new store"
    case .otherModel(let path, let stored, let expected):
      "'\(path)' was made with another model; open it with that one, or with migratesAutomatically, or "
        + "make a new store.\n"
        + "  stored:   \(stored)\n  expected: \(expected)"
    case .nameTaken(let name, let first, let second):
      "'\(first)' and '\(second)' would both be called \(name) in the store, which does not tell "
        + "small letters from capitals; rename one of them"
    case .notANumber(let entity, let attribute):
      "'\(entity).\(attribute)' is not a number (NaN), which SQLite would store as null; set a number"
    case .walLeft(let path):
      "'\(path)' holds commits that are not in the store's own file yet; close the store first"
    case .valueCount(let entity, let row, let count, let expected):
      "row \(row) of '\(entity)' has \(count) values; the entity has \(expected) columns"
    case .noSuchRow(let entity, let key):
      "no row of '\(entity)' has the key \(key)"
    case .notStored(let entity, let attribute):
      "'\(entity).\(attribute)' is transient, so that the store cannot keep it unique; make it "
        + "persistent, or take it out of the constraint"
    case .historyKept(let path):
      "'\(path)' keeps a history, which would have a gap; open it with keepsHistory, or delete the "
        + "history first"
    case .notUnique(let entity, let reason):
      "the batch would give two rows of '\(entity)' values that must be unique (\(reason)); set others, "
        + "or fewer rows"
    case .deleteDenied(let entity, let relationship):
      "'\(entity).\(relationship)' of a row to be deleted still holds rows that stay, and its delete rule "
        + "is deny; delete or move them first"
    case .writtenByHook(let path):
      "a hook wrote to '\(path)' while its own save settles conflicts there; write in a later block"
    }
  }
}
