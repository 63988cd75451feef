/// A save was based on an older version of a row than the store's.
public struct MergeConflict: Sendable, Equatable {
  public let id: ManagedObjectID
  /// The version that the change was based on.
  public let oldVersion: Int64
  /// The store's version; 0 if the row is gone.
  public let newVersion: Int64
  /// The row that the change was based on; nil if the context does not have it.
  public internal(set) var objectSnapshot: RowSnapshot?
  /// The cached row, if another context of the same coordinator saved first.
  public let cachedSnapshot: RowSnapshot?
  /// SQLite's row, if another coordinator or a batch request wrote first. Nil if the row is gone.
  public let persistedSnapshot: RowSnapshot?
  /// The context's policy, which did not settle the conflict.
  public internal(set) var policy = MergePolicy.error

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

/// A save would give a row values that must be unique and that another row has.
public struct ConstraintConflict: Sendable, Equatable {
  public let entity: String
  /// The properties that must be unique together.
  public let constraint: [String]
  /// The values of these properties.
  public let values: [Value]
  /// The object to save, by the ID in the request.
  public let objectID: ManagedObjectID
  /// The row that already has the values.
  public let rowID: ManagedObjectID
  /// The context's policy, which did not settle the conflict.
  public internal(set) var policy = MergePolicy.error

  public init(
    entity: String, constraint: [String], values: [Value], objectID: ManagedObjectID,
    rowID: ManagedObjectID
  ) {
    self.entity = entity
    self.constraint = constraint
    self.values = values
    self.objectID = objectID
    self.rowID = rowID
  }
}

package enum UniqueValues {
  /// Such as `City: name = "Agra", code = 3`.
  package static func text(_ entity: String, _ properties: [String], _ values: [Value]) -> String {
    entity + ": "
      + zip(properties, values).map { "\($0) = \($1.description.prefix(80))" }
      .joined(separator: ", ")
  }
}

/// Why a save wrote nothing. The changes stay pending in their context.
public enum SaveError: Error, Sendable, CustomStringConvertible {
  /// Optimistic locking failed (Core Data's 133020).
  case conflict([MergeConflict])
  /// Values that must be unique exist already (133021).
  case constraint([ConstraintConflict])
  /// Objects are invalid (1550 to 1680; 1560 for more than one error).
  case validation([ValidationError])

  /// Core Data's code for this error.
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
        + " refresh them and save again" + Self.advice(conflicts.first?.policy)
    case .constraint(let conflicts):
      "\(conflicts.count) object(s) have values that must be unique and that another row has ("
        + conflicts.prefix(3).map { UniqueValues.text($0.entity, $0.constraint, $0.values) }
        .joined(separator: "; ")
        + (conflicts.count > 3 ? "; …" : "") + "); change them"
        + Self.advice(conflicts.first?.policy)
    case .validation(let errors):
      errors.map(\.description).joined(separator: "\n")
    }
  }

  private static func advice(_ policy: MergePolicy?) -> String {
    policy == .error ? ", or set a merge policy" : ""
  }
}

/// Why an object, or one of its properties, cannot be saved.
public struct ValidationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The codes of Core Data's `CoreDataErrors.h`.
  public enum Code: Int, Sendable {
    /// The entity's own `validate` failed, or a relationship leads to a deleted object.
    case custom = 1550
    case missingMandatoryProperty = 1570
    case relationshipLacksMinimumCount = 1580
    case relationshipExceedsMaximumCount = 1590
    case deleteDenied = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPatternMatching = 1680
  }

  public let code: Code
  public let objectID: ManagedObjectID
  public let entity: String
  /// Empty if the error concerns the whole object.
  public let property: String
  /// For `custom`; otherwise empty.
  public let reason: String

  public var description: String {
    let name = property.isEmpty ? "'\(entity)'" : "'\(entity).\(property)'"
    return switch code {
    case .custom: "\(name) is not valid: \(reason)"
    case .missingMandatoryProperty:
      "\(name) is not optional but holds no value; set it before saving"
    case .relationshipLacksMinimumCount: "\(name) holds too few objects"
    case .relationshipExceedsMaximumCount: "\(name) holds too many objects"
    case .deleteDenied:
      "\(name) still holds objects, and its delete rule is deny; delete or move them first"
    case .numberTooLarge: "\(name) is too large"
    case .numberTooSmall: "\(name) is too small"
    case .dateTooLate: "\(name) is too late"
    case .dateTooSoon: "\(name) is too early"
    case .stringTooLong: "\(name) is too long"
    case .stringTooShort: "\(name) is too short"
    case .stringPatternMatching: "\(name) does not match its pattern"
    }
  }
}
