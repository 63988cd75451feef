/// Two saves changed one row: the second was made on a version that is no longer the store's.
public struct MergeConflict: Sendable, Equatable {
  public let id: ManagedObjectID
  /// The version that the change was made on.
  public let oldVersion: Int64
  /// The store's version; 0 if the row is gone.
  public let newVersion: Int64
  /// The row that the change was made on, as the context has it; nil if that knows none.
  public internal(set) var objectSnapshot: RowSnapshot?
  /// The coordinator's row, where the conflict is with that: another context of the same
  /// coordinator was first.
  public let cachedSnapshot: RowSnapshot?
  /// SQLite's row, where the conflict is with that: another coordinator, or a batch request, was
  /// first. Nil if the row is gone.
  public let persistedSnapshot: RowSnapshot?

  public init(
    id: ManagedObjectID, oldVersion: Int64, newVersion: Int64, cachedSnapshot: RowSnapshot? = nil,
    persistedSnapshot: RowSnapshot? = nil
  ) {
    self.id = id
    self.oldVersion = oldVersion
    self.newVersion = newVersion
    self.cachedSnapshot = cachedSnapshot
    self.persistedSnapshot = persistedSnapshot
  }
}

/// A save wanted values of which a uniqueness constraint allows one row only.
public struct ConstraintConflict: Sendable, Equatable {
  /// The columns that are unique together.
  public let constraint: [String]
  /// The object that was to be saved, by the ID that the request named it by.
  public let objectID: ManagedObjectID
  /// The row that has the values.
  public let rowID: ManagedObjectID

  public init(constraint: [String], objectID: ManagedObjectID, rowID: ManagedObjectID) {
    self.constraint = constraint
    self.objectID = objectID
    self.rowID = rowID
  }
}

/// Why a save wrote nothing. The changes stay pending in their context.
public enum SaveError: Error, Sendable, CustomStringConvertible {
  /// Optimistic locking failed (Core Data's 133020).
  case conflict([MergeConflict])
  /// Values that must be unique are not (133021).
  case constraint([ConstraintConflict])
  /// Objects are not fit to be saved (1550 to 1680; 1560 if there is more than one reason).
  case validation([ValidationError])

  /// The code that Core Data gives this error.
  public var code: Int {
    switch self {
    case .conflict: 133_020
    case .constraint: 133_021
    case .validation(let errors): errors.count == 1 ? errors[0].code.rawValue : 1560
    }
  }

  public var description: String {
    switch self {
    case .conflict(let conflicts):
      "\(conflicts.count) row(s) were changed or deleted by another context since they were read;"
        + " refresh them and save again, or set a merge policy"
    case .constraint(let conflicts):
      "\(conflicts.count) object(s) have values that must be unique and are another row's already"
        + " (\(conflicts.first?.constraint.joined(separator: ", ") ?? "")); change them, or set a merge"
        + " policy"
    case .validation(let errors):
      errors.map(\.description).joined(separator: "\n")
    }
  }
}
