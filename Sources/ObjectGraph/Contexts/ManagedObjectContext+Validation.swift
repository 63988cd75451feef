/// The reason why an object, or one of its properties, cannot be saved.
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
  /// For `custom`, the reason; otherwise empty.
  public let reason: String

  init(_ code: Code, _ object: ManagedObject, _ property: String, reason: String = "") {
    self.code = code
    self.objectID = object.objectID
    self.entity = object.entity.name
    self.property = property
    self.reason = reason
  }

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

extension ManagedObjectContext {
  /// - Throws: `SaveError.validation` with all errors of these objects; the store's read errors.
  func validate(_ objects: ContiguousArray<ManagedObject>) throws {
    var errors: [ValidationError] = []
    let deleted = deletedTargets(among: objects)
    for object in objects {
      if object.isDeleted {
        if object.resolved.hasDenyingRelationship { errors += try deniedDeletes(of: object) }
      } else {
        try check(object, into: &errors)
        if !deleted.isEmpty { checkTargets(of: object, deleted, into: &errors) }
      }
    }
    guard errors.isEmpty else { throw SaveError.validation(errors) }
  }

  private func check(_ object: ManagedObject, into errors: inout [ValidationError]) throws {
    object.resolved.required.forEachIndex { column in
      if object.values[column].isNull {
        errors.append(
          ValidationError(.missingMandatoryProperty, object, object.entity.columns[column].name))
      }
    }
    for (column, rule) in object.resolved.rules {
      if let code = rule.breach(by: object.values[column]) {
        errors.append(ValidationError(code, object, object.entity.columns[column].name))
      }
    }
    for index in object.resolved.countedToMany {
      try checkCount(of: object, at: index, into: &errors)
    }
    guard let validate = object.entity.hooks.validate else { return }
    do { try validate(object) } catch {
      errors.append(ValidationError(.custom, object, "", reason: "\(error)"))
    }
  }

  /// The deleted objects that no saved object may refer to. The delete rules have already cleared
  /// the relations of that time.
  private func deletedTargets(
    among objects: ContiguousArray<ManagedObject>
  ) -> Set<ManagedObjectID> {
    guard model.hasRelationships, objects.contains(where: { !$0.isDeleted }) else { return [] }
    return Set(objects.lazy.filter(\.isDeleted).map(\.objectID))
  }

  /// Checks only relations changed here. For older relations to a deleted object, its delete rule
  /// decided.
  private func checkTargets(
    of object: ManagedObject, _ deleted: Set<ManagedObjectID>, into errors: inout [ValidationError]
  ) {
    guard object.resolved.hasRelationships else { return }
    let reason = "it refers to a deleted object; set another object or nil"
    let changes = object.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated()
    where relationship != nil && changes.contains(AttributeMask(index: column)) {
      guard let id = object.values[column].objectID, deleted.contains(id) else { continue }
      let name = object.entity.columns[column].name
      errors.append(ValidationError(.custom, object, name, reason: reason))
    }
    for index in object.toMany.indices where !object.toMany[index].added.isDisjoint(with: deleted) {
      let name = object.entity.toManyRelationships[index].name
      errors.append(ValidationError(.custom, object, name, reason: reason))
    }
  }

  /// Reads members only of relationships that changed. The others were valid at their last save.
  private func checkCount(
    of object: ManagedObject, at index: Int, into errors: inout [ValidationError]
  ) throws {
    guard object.isInserted || object.toMany[index].hasChanges else { return }
    let relationship = object.entity.toManyRelationships[index]
    let count = try readRelatedIDs(of: object, at: index).count
    if count == 0 && !relationship.isOptional {
      errors.append(ValidationError(.missingMandatoryProperty, object, relationship.name))
    } else if count > 0 && count < relationship.minimumCount {
      errors.append(ValidationError(.relationshipLacksMinimumCount, object, relationship.name))
    } else if let maximum = relationship.maximumCount, count > maximum {
      errors.append(ValidationError(.relationshipExceedsMaximumCount, object, relationship.name))
    }
  }
}

extension AttributeValidation {
  /// The rule that a value violates; nil if none, and for null.
  func breach(by value: Value) -> ValidationError.Code? {
    switch value {
    case .int64, .double: breach(by: value, .numberTooSmall, .numberTooLarge)
    case .date: breach(by: value, .dateTooSoon, .dateTooLate)
    case .string(let string): breach(by: string)
    default: nil
    }
  }

  private func breach(
    by value: Value, _ tooSmall: ValidationError.Code, _ tooLarge: ValidationError.Code
  ) -> ValidationError.Code? {
    if let minimum, value.order(relativeTo: minimum) < 0 { return tooSmall }
    if let maximum, value.order(relativeTo: maximum) > 0 { return tooLarge }
    return nil
  }

  private func breach(by string: String) -> ValidationError.Code? {
    if let minimumLength, string.count < minimumLength { return .stringTooShort }
    if let maximumLength, string.count > maximumLength { return .stringTooLong }
    if let pattern, !Self.matches(string, pattern) { return .stringPatternMatching }
    return nil
  }

  /// The model has validated the pattern.
  private static func matches(_ string: String, _ pattern: String) -> Bool {
    guard let regex = try? Regex(pattern) else { return false }
    return (try? regex.wholeMatch(in: string)) ?? nil != nil
  }
}
